package corpus;

import android.os.ParcelFileDescriptor;

parcelable JavaNames { android.os.ParcelFileDescriptor a; java.util.List<String> b; java.util.Map<String, String> c; }
