package android.npumanager;

/** How much NPU memory a model needs, in coarse steps. */
@JavaPassthrough(annotation="@android.annotation." + "SystemApi")
@Backing(type="int")
enum NpuModelSize {
    /** Less than 1 GiB. */
    LESS_THAN_1GB = 0,
    /** From 1 GiB to 2 GiB. */
    BETWEEN_1GB_AND_2GB = 1,
    /** More than 2 GiB. */
    GREATER_THAN_2G = 2,
}
