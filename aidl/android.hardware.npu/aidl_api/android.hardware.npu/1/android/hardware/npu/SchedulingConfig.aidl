// A snapshot of an AIDL interface, written by `codegen`: what its callers rely on, and nothing else.
// Do not edit it. To change the interface, edit its source; `codegen check-api` says whether a change
// keeps those working that were built against this.

package android.hardware.npu;
@RustDerive(Clone=true, Eq=true, PartialEq=true) @VintfStability
parcelable SchedulingConfig {
  int uid;
  int priority;
  boolean hasDirectAccess;
  boolean canAttributeOtherUid;
  const int MIN_PRIORITY = 0;
  const int MAX_PRIORITY = 1000;
}
