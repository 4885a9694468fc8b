// A snapshot of an AIDL interface, written by `codegen`: what its callers rely on, and nothing else.
// Do not edit it. To change the interface, edit its source; `codegen check-api` says whether a change
// keeps those working that were built against this.

package android.hardware.npu;
@VintfStability
enum StartReason {
  INITIAL,
  RESUMED,
}
