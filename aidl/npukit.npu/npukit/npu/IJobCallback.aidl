package npukit.npu;

import android.hardware.npu.EndReason;

/** Hears of the end of a job. */
oneway interface IJobCallback {
    /** The job is over. */
    void onEnded(in EndReason reason);
}
