package android.npumanager;

/** How the service answers one model-load request, for as long as the request is open. */
oneway interface IModelLoadCallback {
    /** A decision: load now, wait for an unload, or not prioritized. May come more than once. */
    void onCanLoadModel(in int status);

    /** The memory is wanted elsewhere: unload the model and say so with notifyModelUnloaded. */
    void onRequestUnloadModel();

    /** The request ended, as cancelled or complete. Nothing follows this call. */
    void onModelLoadRequestComplete(in int status);
}
