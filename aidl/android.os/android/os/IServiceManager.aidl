package android.os;

import android.os.CallerContext;
import android.os.ConnectionInfo;
import android.os.IClientCallback;
import android.os.IServiceCallback;
import android.os.Service;
import android.os.ServiceDebugInfo;

/**
 * The registry of services, which every process reaches as handle 0. In the form that it has since
 * Android 16: the order of the methods, and with it their codes, was another in each earlier release.
 */
interface IServiceManager {
    /** Services that are dumped first, because nothing works without them. */
    const int DUMP_FLAG_PRIORITY_CRITICAL = 1 << 0;
    /** Services that are dumped before most others. */
    const int DUMP_FLAG_PRIORITY_HIGH = 1 << 1;
    /** Services that are dumped with most others. */
    const int DUMP_FLAG_PRIORITY_NORMAL = 1 << 2;
    /** Services that said nothing of their priority. */
    const int DUMP_FLAG_PRIORITY_DEFAULT = 1 << 3;
    /** Every priority there is. */
    const int DUMP_FLAG_PRIORITY_ALL = 15;
    /** Services that can dump themselves in protobuf too. */
    const int DUMP_FLAG_PROTO = 1 << 4;
    /** Not a priority: given to addService for a service that is started when somebody wants it. */
    const int FLAG_IS_LAZY_SERVICE = 1 << 30;

    /** Looks a service up, and has it started if it is not there; null until it is. */
    @nullable IBinder getService(@utf8InCpp String name);

    /** As getService, and tells how the service is reached. */
    Service getService2(@utf8InCpp String name);

    /** Looks a service up; null if it is not there. */
    @nullable IBinder checkService(@utf8InCpp String name);

    /** As checkService, and tells how the service is reached. */
    Service checkService2(@utf8InCpp String name);

    /**
     * Registers a service, replacing one of the same name.
     *
     * @param allowIsolated whether isolated apps may find it
     * @param dumpPriority one or more of the DUMP flags
     */
    void addService(@utf8InCpp String name, IBinder service, boolean allowIsolated, int dumpPriority);

    /** The names of those services that have one of the given priorities. */
    @utf8InCpp String[] listServices(int dumpPriority);

    /** Has the callback called whenever the service is registered; now as well, if it is there. */
    void registerForNotifications(@utf8InCpp String name, IServiceCallback callback);

    /** Takes registerForNotifications back. */
    void unregisterForNotifications(@utf8InCpp String name, IServiceCallback callback);

    /** Whether the device's manifest promises a service of that name. */
    boolean isDeclared(@utf8InCpp String name);

    /** The instances of an interface that the device's manifest promises. */
    @utf8InCpp String[] getDeclaredInstances(@utf8InCpp String iface);

    /** The APEX that a declared service comes from and can be updated through; null for none. */
    @nullable @utf8InCpp String updatableViaApex(@utf8InCpp String name);

    /** The declared services that an APEX can update. */
    @utf8InCpp String[] getUpdatableNames(@utf8InCpp String apexName);

    /** Where a declared service is, if it is not on this machine; null for those that are. */
    @nullable ConnectionInfo getConnectionInfo(@utf8InCpp String name);

    /** Has the callback told whether anybody holds the service. Only for the process that registered it. */
    void registerClientCallback(@utf8InCpp String name, IBinder service, IClientCallback callback);

    /** Takes a service back if nobody holds it. Only for the process that registered it. */
    void tryUnregisterService(@utf8InCpp String name, IBinder service);

    /** Every service, and which process registered it. */
    ServiceDebugInfo[] getServiceDebugInfo();

    /**
     * Whether somebody else may do something with a service.
     *
     * @param permission "find", "add" or "list"
     */
    boolean checkServiceAccess(in CallerContext caller, @utf8InCpp String name, @utf8InCpp String permission);
}
