package corpus.inner;

parcelable Deep { int a; parcelable In { int b; } enum Mode { ON, OFF } const int SIZE = 4; }
