package corpus.interfaces;

/** The token carries the old name, so that old callers are still understood. */
@Descriptor(value="corpus.interfaces.IOldName")
interface IDescriptorRenamed {
    const int VERSION = 2;
    void call(int a);
}
