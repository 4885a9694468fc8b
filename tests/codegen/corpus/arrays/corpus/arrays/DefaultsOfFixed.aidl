package corpus.arrays;

parcelable DefaultsOfFixed {
    int[3] a = {1, 2, 3};
    byte[2][2] b = {{1, 2}, {3, 4}};
    String[2] c = {"x", "y"};
    boolean[2] d = {true, false};
    float[2] e = {1f, 2.5f};
    enum E { A = 1, B }
    E[2] f = {E.A, E.B};
    E[2][1] g = {{E.B}, {E.A}};
    long[1] h = {1L << 60};
}
