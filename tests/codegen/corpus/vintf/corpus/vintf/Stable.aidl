package corpus.vintf;

@VintfStability
parcelable Stable {
    int a = 1;
    ParcelableHolder extension;
    @nullable corpus.vintf.IStable callback;
    corpus.vintf.Kind kind = corpus.vintf.Kind.B;
}
