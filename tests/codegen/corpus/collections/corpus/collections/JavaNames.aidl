package corpus.collections;

/** The names that these types have in Java. */
parcelable JavaNames {
    java.util.List<String> a;
    java.util.Map<String, String> b;
    android.os.ParcelFileDescriptor c;
}
