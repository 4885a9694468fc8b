package android.os;

/** Hears of a service that somebody waits for. */
oneway interface IServiceCallback {
    /** The service was registered, perhaps not for the first time. */
    void onRegistration(@utf8InCpp String name, IBinder binder);
}
