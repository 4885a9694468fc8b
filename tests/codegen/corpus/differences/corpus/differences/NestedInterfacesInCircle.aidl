package corpus.differences;

interface NestedInterfacesInCircle {
    interface IOne { void f(ITwo two); }
    interface ITwo { void f(IOne one); }
}
