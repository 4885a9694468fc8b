// A snapshot of an AIDL interface, written by `codegen`: what its callers rely on, and nothing else.
// Do not edit it. To change the interface, edit its source; `codegen check-api` says whether a change
// keeps those working that were built against this.

package android.hardware.npu;
@VintfStability
interface ISchedulingCallback {
  oneway void onWorkRequested(in android.hardware.npu.WorkInfo info);
  oneway void onWorkStarted(in android.hardware.npu.WorkInfo workInfo, in android.hardware.npu.StartReason reason);
  oneway void onWorkEnded(in android.hardware.npu.WorkInfo workInfo, in android.hardware.npu.EndReason reason);
  const int DEBOUNCE_DURATION_MS = 50;
}
