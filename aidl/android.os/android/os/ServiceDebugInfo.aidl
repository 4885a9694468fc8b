package android.os;

/** A service and its process, for people who debug. */
parcelable ServiceDebugInfo {
    /** The service's name. */
    @utf8InCpp String name;
    /** The process that registered it; its number may mean another by now. */
    int debugPid;
}
