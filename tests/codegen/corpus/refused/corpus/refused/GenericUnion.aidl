package corpus.refused;

union GenericUnion<T> { int a; }
