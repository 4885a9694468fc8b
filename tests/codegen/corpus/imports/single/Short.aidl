package single;

parcelable Short { int a; corpus.imports.B b; }
