package android.os;

/**
 * A typed map from strings to values that survives being written to disk.
 * Its bytes are defined by the platform, not by AIDL.
 */
@JavaOnlyStableParcelable parcelable PersistableBundle cpp_header "binder/PersistableBundle.h" ndk_header "android/persistable_bundle_aidl.h";
