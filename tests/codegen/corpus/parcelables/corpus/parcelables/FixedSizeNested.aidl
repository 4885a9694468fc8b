package corpus.parcelables;

@FixedSize
parcelable FixedSizeNested {
    @FixedSize parcelable Inner { long a; byte b; }
    enum Kind { A, B }
    @FixedSize union Either { int number = 0; long big; Inner inner; }
    Inner inner;
    Inner[2] two;
    Kind kind = Kind.B;
    Kind[3] kinds;
    Either either;
}
