package corpus.refused;

@Backing(type="int") parcelable BackingOfParcelable { int a; }
