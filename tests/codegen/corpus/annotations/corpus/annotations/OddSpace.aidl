package corpus.annotations;

@JavaDerive ( toString = true , equals = true )
parcelable OddSpace {
    @nullable(heap = false) String a;
    @nullable ( ) String c;
}
