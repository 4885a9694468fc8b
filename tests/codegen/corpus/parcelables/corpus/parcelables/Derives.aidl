package corpus.parcelables;

@JavaDerive(toString=true, equals=true)
@RustDerive(Clone=true, PartialEq=true)
parcelable Derives {
    int a;
    String b = "b";
    int[] c;
}
