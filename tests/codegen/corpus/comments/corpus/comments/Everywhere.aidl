/* before */ package /* in */ corpus /* the */ . comments /* name */ ; // end

/* a */ parcelable /* b */ Everywhere /* c */ { // d
    /* e */ int /* f */ a /* g */ = /* h */ 1 /* i */ + // j
        2 /* k */ ; /* l */
    /**/ String b; /***/
    int[ /* size */ 3 /* end */ ] c;
    List< /* of */ String /* only */ > d;
    @nullable /* between */ String /* and */ e;
    @nullable( /* nothing */ ) String f;
} // the end
/* after
 * all */
