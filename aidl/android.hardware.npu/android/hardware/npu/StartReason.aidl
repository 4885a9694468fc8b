package android.hardware.npu;

/** Why a job began to run. */
@VintfStability
enum StartReason {
    /** For the first time. */
    INITIAL,
    /** Again, after it was paused. */
    RESUMED,
}
