package corpus.calls;

interface ICallbacks {
    oneway interface IListener {
        void onEvent(int code, @nullable String detail);
        void onBytes(in byte[] bytes);
    }
    void add(IListener listener);
    void remove(IListener listener);
    oneway void flush();
}
