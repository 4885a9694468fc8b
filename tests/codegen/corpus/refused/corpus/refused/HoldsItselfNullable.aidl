package corpus.refused;

parcelable HoldsItselfNullable { @nullable HoldsItselfNullable a; }
