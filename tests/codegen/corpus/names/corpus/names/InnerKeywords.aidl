package corpus.names;

parcelable InnerKeywords {
    parcelable None { int None; }
    enum True { True, False, None }
    union match { int None; String True; int def; }
    None a; True b = True.None; match c; match.Tag d = match.Tag.def;
    const int lambda = 1; const int K = lambda + 1;
}
