package corpus.calls;

oneway interface IOnewayHeavy {
    parcelable Load {
        byte[] data;
        ParcelFileDescriptor file;
        Map<String, String> extra;
    }
    void load(in Load one, in Load[] many, in @nullable Load maybe);
    void open(in ParcelFileDescriptor file, in @nullable ParcelFileDescriptor other);
}
