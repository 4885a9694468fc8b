package android.npumanager;

import android.npumanager.NpuModelSize;

/** A model that an app would like to load. */
@JavaDerive(equals=true, toString=true)
parcelable ModelLoadRequestParcelable {
    /** The app is doing what its user is waiting for. */
    const int PRIORITY_NORMAL = 0;

    /** The app can do without the model for a while. */
    const int PRIORITY_BACKGROUND = 1000;

    /** The caller's name for this request. */
    int id;

    /** How much memory the model takes, in coarse steps. */
    NpuModelSize size;

    /** One of the PRIORITY constants. */
    @JavaPassthrough(annotation="@android.annotation.IntRange(from=0, to=1000)")
    int priority;
}
