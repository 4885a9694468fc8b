package corpus.collections;

import corpus.collections.Item;

interface IMaps {
    Map<String, String> strings(in Map<String, String> x, out Map<String, String> y,
            inout Map<String, String> z);
    Map<String, Item> items(in Map<String, Item> x, out Map<String, Item> y, inout Map<String, Item> z);
    Map<String, IBinder> binders(in Map<String, IBinder> x);
    Map<String, IMaps> maps(in Map<String, IMaps> x);
    Map<String, ParcelFileDescriptor> files(in Map<String, ParcelFileDescriptor> x);
}
