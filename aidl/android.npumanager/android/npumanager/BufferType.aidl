package android.npumanager;

/** What an NPU buffer holds. */
enum BufferType {
    UNKNOWN,
    /** Compiled code for the NPU. */
    MODEL_EXECUTABLE,
    /** Weights; usually read-only once loaded. */
    MODEL_WEIGHTS,
    /** State that a model keeps between inferences. */
    CACHE,
    /** Anything else a runtime needs beside a model. */
    AUXILIARY,
}
