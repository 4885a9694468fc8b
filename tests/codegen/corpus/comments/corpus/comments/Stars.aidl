package corpus.comments;

/**************************************
 * A box.                             *
 **************************************/
parcelable Stars {
    /****/ int a;
    /* * / */ int b;
    /** / **/ int c;
    //* not a block
    int d; /*/ tricky */ int e;
}
