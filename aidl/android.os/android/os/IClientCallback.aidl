package android.os;

/** Tells a service whether it is in use, so that it can end when it is not. */
oneway interface IClientCallback {
    /** The first client has come, or the last one has gone. */
    void onClients(IBinder registered, boolean hasClients);
}
