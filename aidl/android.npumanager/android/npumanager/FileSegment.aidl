package android.npumanager;

/** Part of a file, and where it goes in a buffer. Offsets and lengths are in bytes. */
parcelable FileSegment {
    /** The file, open for reading. */
    ParcelFileDescriptor fileFd;

    /** Where the segment starts in the file. */
    long fileOffset;

    /** How long the segment is. */
    long segmentLength;

    /** Where it goes in the buffer. */
    long bufferOffset;
}
