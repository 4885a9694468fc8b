package corpus.refused;

interface BodyOfMethod { void f() { } }
