package npukit.npu;

import npukit.npu.IJobCallback;

/** How a program gives the NPU of npukit's reference HAL work to do. A vendor has its SDK for that. */
interface INpuDevice {
    /** The original uid of work in nobody else's name. */
    const int NO_UID = -1;

    /**
     * Queues a job of the calling uid.
     *
     * Fails with EX_SECURITY if the scheduling table does not let the caller do this, and with
     * EX_ILLEGAL_ARGUMENT if the priority is not from 0 to 1000. The job is cancelled when the process
     * of the callback dies.
     */
    void submit(int jobPriority, int originalUid, int durationMs, in IJobCallback callback);
}
