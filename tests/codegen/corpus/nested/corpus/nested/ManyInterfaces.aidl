package corpus.nested;

interface ManyInterfaces {
    interface IOne { void f(ITwo two); }
    interface ITwo { void f(IThree three); }
    interface IThree { void f(int x); }
    IOne one();
    ITwo two();
    IThree three();
}
