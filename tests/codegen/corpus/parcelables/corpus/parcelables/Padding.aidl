package corpus.parcelables;

/** Runs of bytes are padded, single bytes are words. */
parcelable Padding {
    byte[1] one; byte a;
    byte[2] two; byte b;
    byte[3] three; byte c;
    byte[4] four; byte d;
    byte[] any;
    boolean[1] flag;
    char[1] letter;
}
