package corpus.names;

parcelable Digits { int a1; int a2b3; int _9; int x86_64; }
