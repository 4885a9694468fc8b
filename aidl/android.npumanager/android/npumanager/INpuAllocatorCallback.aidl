package android.npumanager;

/** Results of what a client asked of its INpuAllocator. An errno of 0 means success. */
oneway interface INpuAllocatorCallback {
    /** A buffer, or the reason why there is none. */
    void onGetBuffer(in long appReqId, in @nullable ParcelFileDescriptor bufFd, in int errno, in @nullable String errMsg);

    /** A file segment has been loaded, or could not be. */
    void onLoad(in long appReqId, in int errno, in @nullable String errMsg);

    /** The buffer's memory has been taken away. */
    void onNotifyPreempted(in long appReqId);
}
