package android.hardware.npu;

import android.hardware.npu.EndReason;
import android.hardware.npu.StartReason;
import android.hardware.npu.WorkInfo;

/** How a HAL reports the NPU's work. */
@VintfStability
oneway interface ISchedulingCallback {
    /** Work of one uid that follows other work of it within this time is not reported apart. */
    const int DEBOUNCE_DURATION_MS = 50;

    /** A job entered the queue. */
    void onWorkRequested(in WorkInfo info);

    /** A job began to run. */
    void onWorkStarted(in WorkInfo workInfo, in StartReason reason);

    /** A job stopped running, for good or for a while. */
    void onWorkEnded(in WorkInfo workInfo, in EndReason reason);
}
