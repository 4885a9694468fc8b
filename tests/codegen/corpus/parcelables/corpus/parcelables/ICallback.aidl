package corpus.parcelables;

/** A parcelable holds it, and it takes that parcelable. */
oneway interface ICallback {
    void done(in corpus.parcelables.Binders what);
}
