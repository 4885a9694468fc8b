package corpus.refused;

parcelable HoldsEachOther { parcelable A { B b; } parcelable B { A a; } A a; }
