package corpus.refused;

interface OutFile { void f(out ParcelFileDescriptor a); }
