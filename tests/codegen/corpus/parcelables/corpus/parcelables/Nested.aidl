package corpus.parcelables;

parcelable Nested {
    parcelable One {
        parcelable Two {
            parcelable Three {
                parcelable Four {
                    int value = 4;
                }
                Four four;
            }
            Three three;
        }
        Two two;
    }
    One one;
    One.Two two;
    Nested.One.Two.Three three;
    corpus.parcelables.Nested.One.Two.Three.Four four;
}
