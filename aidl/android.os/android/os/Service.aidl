package android.os;

import android.os.ServiceWithMetadata;

/** What a look-up found. */
union Service {
    /** The service itself, if there is one. */
    ServiceWithMetadata serviceWithMetadata;
    /** An object that leads to the service through a session of its own. */
    @nullable IBinder accessor;
}
