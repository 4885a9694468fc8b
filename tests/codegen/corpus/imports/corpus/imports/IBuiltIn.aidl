package corpus.imports;

import android.os.IBinder;
import android.os.ParcelFileDescriptor;
import java.util.List;
import java.util.Map;

interface IBuiltIn {
    List<String> f(in Map<String, String> a, IBinder b, in ParcelFileDescriptor c);
}
