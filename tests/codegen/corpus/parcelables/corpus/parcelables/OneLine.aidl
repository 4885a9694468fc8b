package corpus.parcelables;

parcelable OneLine{int a=1;String b="x";byte[]c;@nullable String d;}
