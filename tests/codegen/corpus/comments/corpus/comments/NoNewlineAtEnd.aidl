package corpus.comments;

parcelable NoNewlineAtEnd { int a; } // no new line
