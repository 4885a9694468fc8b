"""What Android's commands print, after its public sources. Not yet held against a device of Android 17."""

from __future__ import annotations

GETPROP = """\
[dalvik.vm.appimageformat]: [lz4]
[ro.build.fingerprint]: [google/brya/brya:17/CP1A.260405.005/13151719:userdebug/dev-keys]
[ro.build.version.sdk]: [37]
[ro.debuggable]: [1]
[ro.product.cpu.abilist]: [arm64-v8a,armeabi-v7a,armeabi]
[ro.serialno]: [39180DLJG0017F]
[ro.empty]: []
[ro.vendor.note]: [first line
second line [with brackets]]
[sys.boot_completed]: [1]
"""

SERVICE_LIST = """\
Found 5 services:
0\tDockObserver: []
1\tactivity: [android.app.IActivityManager]
2\tandroid.hardware.npu.IScheduling/default: [android.hardware.npu.IScheduling]
3\tnpu: [android.npumanager.INpuManagerService]
4\tpackage: [android.content.pm.IPackageManager]
"""

FEATURES = """\
feature:reqGlEsVersion=0x30002
feature:android.hardware.camera
feature:android.hardware.npu
feature:android.hardware.vulkan.level=1
"""

PACKAGES = """\
package:com.android.shell uid:2000
package:com.example.one uid:10123
package:/data/app/~~a1b==/com.example.two-c3d==/base.apk=com.example.two uid:10124
package:com.example.work uid:1010123
"""

PACKAGE_DUMP = """\
Packages:
  Package [com.example.one] (d3a5e1f):
    appId=10123
    pkg=Package{6b1c com.example.one}
    versionCode=7 minSdk=31 targetSdk=37
    uses features:
      android.hardware.camera required=false
      android.hardware.npu required=true
    requested permissions:
      android.permission.INTERNET
      android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS
      android.permission.CAMERA: restricted=true
    install permissions:
      android.permission.INTERNET: granted=true
      android.permission.ATTRIBUTE_WORK_TO_OTHER_APPS: granted=false
    User 0: ceDataInode=1234 installed=true hidden=false
      runtime permissions:
        android.permission.CAMERA: granted=true, flags=[ USER_SET]
"""

NPU_INFO = """\
Policy: budget
    Max: 4
    Requests:
        10123 [com.example.one]: LOADED
        10124 [com.example.two]: PENDING_LOAD

Priorities:
    1000 [system] 100
    10123 [com.example.one] 125
    10124 400
Something of a newer build: 5
"""

LAUNCHER = """\
priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true
com.example.one/.MainActivity
"""

AFLAGS = """\
com.android.npumanager.npumanager_enabled          enabled   - default  read-only   system
com.android.npumanager.request_unload_reason       disabled  - server   read-write  system
"""

SERVICE_CALL_SHORT = "Result: Parcel(00000000 00000001   '........')\n"

SERVICE_CALL_LONG = """\
Result: Parcel(
  0x00000000: 00000000 00000028 00340063 00310030 '....(...c.4.0.1.'
  0x00000010: 00000033                            '3...            ')
"""

SERVICE_CALL_DENIED = 'Result: Parcel(Error: 0xffffffffffffffff "Operation not permitted")\n'
SERVICE_CALL_ABSENT = "service: Service npu does not exist\n"

HAL_HASH = """\
Result: Parcel(
  0x00000000: 00000000 00000028 00340063 00310030 '....(...c.4.0.1.'
  0x00000010: 00660033 00320037 00370062 00340035 '3.f.7.2.b.7.5.4.'
  0x00000020: 00660034 00340032 00630036 00640035 '4.f.2.4.6.c.5.d.'
  0x00000030: 00360031 00370030 00300066 00380036 '1.6.0.7.f.0.6.8.'
  0x00000040: 00360035 00660032 00650033 00370065 '5.6.2.f.3.e.e.7.'
  0x00000050: 00320066 00360062 00000000          'f.2.b.6.....')
"""
