package corpus.refused;

parcelable GenericWithNested<T> { enum E { A } }
