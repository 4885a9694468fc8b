package corpus.names;

parcelable PythonKeywords {
    int None; int True; int False; int and; int as; int async; int await; int def; int del; int elif;
    int except; int from; int global; int is; int lambda; int nonlocal; int not; int or; int pass; int raise;
    int with; int yield;
}
