package corpus.files;

/** File descriptors without the words around them. */
interface IRaw {
    FileDescriptor a(in FileDescriptor x);
    void b(in FileDescriptor x, int between, in FileDescriptor y);
}
