package corpus.refused;

interface HolderAsArgument { void f(in ParcelableHolder a); }
