package android.npumanager;

import android.npumanager.IModelLoadCallback;
import android.npumanager.INpuAllocator;
import android.npumanager.INpuAllocatorCallback;
import android.npumanager.ModelLoadRequestParcelable;
import android.os.PersistableBundle;

/**
 * The system service {@code npu}: decides which app may load a model onto the NPU, and hands out
 * allocators of protected buffers.
 */
interface INpuManagerService {
    /**
     * Asks whether a model may be loaded. The answer, and any later change of it, arrives on the
     * callback; nothing is returned here.
     *
     * @param request the model in question; its id must be unique among the caller's open requests
     * @param callback hears every decision about this request until it is complete
     */
    @PermissionManuallyEnforced
    void canLoadModel(in ModelLoadRequestParcelable request, in IModelLoadCallback callback);

    /** Withdraws a request. Its callback hears that the request completed as cancelled. */
    @PermissionManuallyEnforced
    void cancelModelLoad(in ModelLoadRequestParcelable request);

    /** Tells the service that the caller has finished loading a model it was allowed to load. */
    @PermissionManuallyEnforced
    void notifyModelLoaded(in ModelLoadRequestParcelable request);

    /** Tells the service that the caller has given up a model's memory. */
    @PermissionManuallyEnforced
    void notifyModelUnloaded(in ModelLoadRequestParcelable request);

    /**
     * Replaces the loading policy. Requests made under the old one are forgotten.
     *
     * @param policy one of the policy constants of the framework class NpuManager
     * @param policyParams what the policy can be tuned by, or null for its defaults
     */
    @PermissionManuallyEnforced
    void setPolicy(int policy, in @nullable PersistableBundle policyParams);

    /** Gives the caller an allocator of its own; its results arrive on the callback. */
    INpuAllocator createAllocator(INpuAllocatorCallback callback);
}
