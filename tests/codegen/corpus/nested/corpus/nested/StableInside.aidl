package corpus.nested;

/** What is inside may be more stable than what is around it. */
parcelable StableInside {
    @VintfStability parcelable Stable { int x; }
    @VintfStability enum Kind { A }
    @VintfStability interface IStable { void f(in Stable a, Kind kind); }
    Stable stable;
    Kind kind;
    @nullable IStable callback;
}
