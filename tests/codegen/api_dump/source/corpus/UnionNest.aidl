package corpus;

union UnionNest { In a; int b; parcelable In { int x; } enum Which { A } const int K = 1; }
