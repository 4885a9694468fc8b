package corpus;

oneway interface IOnewayWhole { void a(); oneway void b(); const int K = 1; }
