package corpus.comments;

enum EnumComments {
    /* before */ A /* after */, // behind
    B /* = */ = /* value */ 5 /* , */,
    /** Documented. */ C, /* trailing */
}
