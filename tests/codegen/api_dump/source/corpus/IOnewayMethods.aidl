package corpus;

interface IOnewayMethods { oneway void a(); void b(); oneway @JavaPassthrough(annotation="@x") void c(int x); @JavaPassthrough(annotation="@y") oneway void d(); }
