package android.hardware.npu;

import android.hardware.npu.ISchedulingCallback;
import android.hardware.npu.SchedulingConfig;

/** What a vendor implements so that Android can set priorities on the NPU and see its work. */
@VintfStability
interface IScheduling {
    /**
     * Replaces the whole table of priorities.
     *
     * Fails with EX_ILLEGAL_ARGUMENT, changing nothing, if a priority is out of range or a uid
     * occurs twice.
     */
    void setSchedulingConfigs(in SchedulingConfig[] schedulingConfigs);

    /** Adds or replaces entries of the table. Fails as setSchedulingConfigs does. */
    void updateSchedulingConfigs(in SchedulingConfig[] configs);

    /** Says who hears of work; null for nobody. There is one callback at a time. */
    void setCallback(in @nullable ISchedulingCallback callback);
}
