package corpus.names;

interface IPythonMethods {
    void del();
    void raise();
    void print();
    void and();
    void match();
    void __init__();
    void __class__();
    int lambda(int def, String from, in int[] is, out int[] not, inout int[] or);
    void self(int self);
    void async(int await);
}
