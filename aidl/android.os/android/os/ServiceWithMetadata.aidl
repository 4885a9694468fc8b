package android.os;

/** A service, and what its clients should know of it. */
parcelable ServiceWithMetadata {
    /** The service; null if it is not registered. */
    @nullable IBinder service;
    /** Whether it was started on demand and ends when nobody uses it. */
    boolean isLazyService;
}
