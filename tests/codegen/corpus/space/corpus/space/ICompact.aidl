package corpus.space;interface ICompact{void f(int a,in int[]b,out int[2]c);oneway void g();int h();const int K=-1;}
