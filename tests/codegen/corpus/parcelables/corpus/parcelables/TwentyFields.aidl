package corpus.parcelables;

parcelable TwentyFields {
    int f0; int f1; int f2; int f3; int f4; int f5; int f6; int f7; int f8; int f9;
    long g0; byte g1; boolean g2; char g3; float g4; double g5; int g6; long g7; byte g8; boolean g9;
}
