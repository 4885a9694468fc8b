package android.hardware.npu;

/** Why a job stopped running. */
@VintfStability
enum EndReason {
    /** Its client withdrew it. */
    CANCELLED_USER,
    /** The system stopped it for good. */
    CANCELLED_SYSTEM,
    /** It made way for more important work and will resume. */
    PAUSED,
    /** It did not work out. */
    FAILED,
    /** It is done. */
    COMPLETED,
}
