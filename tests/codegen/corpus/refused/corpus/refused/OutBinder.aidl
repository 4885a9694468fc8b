package corpus.refused;

interface OutBinder { void f(out IBinder a); }
