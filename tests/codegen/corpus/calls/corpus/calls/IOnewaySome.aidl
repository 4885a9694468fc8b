package corpus.calls;

interface IOnewaySome {
    oneway void tell(String what);
    String ask(String what);
    oneway void tellMore(in String[] what);
    void wait();
}
