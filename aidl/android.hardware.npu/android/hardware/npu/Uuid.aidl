package android.hardware.npu;

/** A universally unique identifier. */
@VintfStability
@RustDerive(Clone=true, Eq=true, PartialEq=true)
parcelable Uuid {
    /** Its sixteen bytes, most significant first. */
    byte[16] uuid;
}
