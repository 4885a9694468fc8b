package corpus.nested;

parcelable Constants {
    parcelable Inner {
        const int A = 1;
        parcelable Inmost { const int B = Inner.A + Constants.C; }
    }
    const int C = 10;
    const int D = Inner.A + Inner.Inmost.B;
    int[D] sized;
}
