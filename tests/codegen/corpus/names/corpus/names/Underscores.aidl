package corpus.names;

parcelable Underscores { int _; int __; int ___; int _a; int a_; int __a; int __a__; int a__b; int _1; }
