package corpus.refused;

interface NoDirectionOfFile { void f(ParcelFileDescriptor a); }
