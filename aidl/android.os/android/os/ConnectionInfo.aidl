package android.os;

/** Where a service on another machine listens. */
parcelable ConnectionInfo {
    /** The machine's address. */
    @utf8InCpp String ipAddress;
    /** The service's port. */
    int port;
}
