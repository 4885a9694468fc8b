package corpus;

parcelable FieldComments {
    /** Plain. */ int a;
    /** @hide */ int b;
    /** {@hide} */ int c;
    /** Text with @hide inside. */ int d;
    /* @hide */ int e;
    // @hide
    int f;
    /** @hidden */ int g;
    /** @deprecated */ int h;
    /**
     * Words.
     * @deprecated because
     *   it goes on   here
     *
     * and here
     * @see other
     */
    int i;
    /** @deprecated one
     * @hide */
    int j;
    /** words @deprecated no tag */ int k;
    /** @deprecated {@link x} and {@code y}
     */ int l;
    /** @hide */ // a line
    int m;
    /** @hide */ /** another */ int n;
    @nullable /** @hide */ String o;
    int p; /** @hide */
    int q;
    /** @deprecated: colon */ int r;
    /** @deprecated a */ /** @deprecated b */ int s;
    int t; // @hide
    /* @deprecated plain */ int u;
    int /** @hide */ v;
}
