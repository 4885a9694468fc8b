package corpus.collections;

import corpus.collections.Item;

interface ILists {
    List<String> strings(in List<String> x, out List<String> y, inout List<String> z);
    List<Item> items(in List<Item> x, out List<Item> y, inout List<Item> z);
    List<IBinder> binders(in List<IBinder> x, out List<IBinder> y, inout List<IBinder> z);
    List<ParcelFileDescriptor> files(in List<ParcelFileDescriptor> x, out List<ParcelFileDescriptor> y,
            inout List<ParcelFileDescriptor> z);
    List<ILists> lists(in List<ILists> x, out List<ILists> y, inout List<ILists> z);
    @nullable List<String> maybe(in @nullable List<String> x, out @nullable List<Item> y);
}
