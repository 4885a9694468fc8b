package corpus;

parcelable Primitives { boolean a; byte b; char c; int d; long e; float f; double g; String h; }
