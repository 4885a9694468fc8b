package corpus.space;

interface IMixedLines {
    void f(int a); // 
    int g();
}
