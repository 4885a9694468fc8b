package corpus.space;parcelable Compact{int a=1;int[]b={1,2};enum E{A,B}E e=E.A;const int K=1+2;int[K]c;@nullable String d;List<String>f;}
