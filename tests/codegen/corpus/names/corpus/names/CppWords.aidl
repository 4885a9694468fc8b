package corpus.names;

parcelable CppWords { int auto; int template; int typename; int namespace; int delete; int operator; int nullptr; int std; int friend; int mutable; }
