package corpus.refused;

@Descriptor(value="x") parcelable DescriptorOfParcelable { int a; }
