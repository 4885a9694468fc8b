package corpus.interfaces;

interface ICaseDiffers {
    void get();
    void Get();
    void GET();
    int a(int A, int a);
}
