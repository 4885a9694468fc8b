package corpus.arrays;

parcelable SpaceInBrackets { int [ ] a; int [ 2 ] [ 3 ] b; @nullable int [] c; }
