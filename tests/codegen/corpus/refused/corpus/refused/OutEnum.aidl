package corpus.refused;

interface OutEnum { enum E { A } void f(out E a); }
