// A snapshot of an AIDL interface, written by `codegen`: what its callers rely on, and nothing else.
// Do not edit it. To change the interface, edit its source; `codegen check-api` says whether a change
// keeps those working that were built against this.

package android.hardware.npu;
@RustDerive(Clone=true, Eq=true, PartialEq=true) @VintfStability
parcelable WorkInfo {
  int id;
  @nullable android.hardware.npu.Uuid groupId;
  int uid;
  int debugPid;
  int originalUid;
  @nullable String debugFeatureId;
  int jobPriority;
  int effectivePriority;
  long timestampMs;
  int deviceNumber;
}
