package android.hardware.npu;

/** How the work of one uid is to be treated. */
@VintfStability
@RustDerive(Clone=true, Eq=true, PartialEq=true)
parcelable SchedulingConfig {
    /** The most important priority. */
    const int MIN_PRIORITY = 0;

    /** The least important priority. */
    const int MAX_PRIORITY = 1000;

    /** Whose work. */
    int uid;

    /** From MIN_PRIORITY, run first, to MAX_PRIORITY. */
    int priority;

    /** Whether the uid may submit work itself, rather than through another service. */
    boolean hasDirectAccess;

    /** Whether the uid may submit work in the name of another. */
    boolean canAttributeOtherUid;
}
