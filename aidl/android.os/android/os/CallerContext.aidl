package android.os;

/** Somebody on whose behalf access to a service is asked about. */
parcelable CallerContext {
    /** The security context, as SELinux names it. */
    @utf8InCpp String sidName;
    /** The process, for messages. */
    int debugPid;
    /** The user. */
    int uid;
}
