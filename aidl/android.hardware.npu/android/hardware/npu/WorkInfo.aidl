package android.hardware.npu;

import android.hardware.npu.Uuid;

/** One job on the NPU at the moment of an event. */
@VintfStability
@RustDerive(Clone=true, Eq=true, PartialEq=true)
parcelable WorkInfo {
    /** Strictly increasing over everything that is reported. */
    int id;

    /** Jobs that belong to one larger effort share this. */
    @nullable Uuid groupId;

    /** Who submitted the job. */
    int uid;

    /** The submitting process, for debugging only. */
    int debugPid;

    /** In whose name the job runs. */
    int originalUid;

    /** Which part of the app it serves, for debugging only. */
    @nullable String debugFeatureId;

    /** The job's own priority, from 0 to 1000. */
    int jobPriority;

    /** The uid's priority plus the job's, from 0 to 2000. */
    int effectivePriority;

    /** When the event happened, in milliseconds of the monotonic clock. */
    long timestampMs;

    /** Which NPU, counted from 0. */
    int deviceNumber;
}
