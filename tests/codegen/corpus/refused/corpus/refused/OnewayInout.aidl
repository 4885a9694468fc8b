package corpus.refused;

interface OnewayInout { parcelable P { int x; } oneway void f(inout P a); }
