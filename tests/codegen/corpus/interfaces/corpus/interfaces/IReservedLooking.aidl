package corpus.interfaces;

/** Like the calls that every interface has, but not quite. */
interface IReservedLooking {
    int getInterfaceVersion(int which);
    String interfaceHash();
    IBinder binder();
}
