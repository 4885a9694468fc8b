package corpus2;
parcelable Other {
  corpus.Plain a;
  corpus.Choice b;
  corpus.Choice.Tag c;
  corpus.Numbered d = corpus.Numbered.ONE;
  corpus2.Other.Local e;
  parcelable Local {
    int a;
  }
}
