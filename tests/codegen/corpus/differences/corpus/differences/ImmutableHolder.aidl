package corpus.differences;

@JavaOnlyImmutable
parcelable ImmutableHolder { parcelable Mutable { int x; } Mutable a; }
