package corpus.names;

interface IRuntimeMethods {
    void transact(int code);
    void onTransact(int code);
    void write(int parcel, int reply, int data);
    void ping();
    void linkToDeath(IBinder recipient);
    void descriptor();
    void version();
    void close();
    int result(int result, out int[] results);
}
