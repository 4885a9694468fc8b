package corpus.refused;

parcelable QualifiedDeclaration.Inner { int a; }
