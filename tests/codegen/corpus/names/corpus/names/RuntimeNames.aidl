package corpus.names;

parcelable RuntimeNames {
    int parcel; int value; int write_to; int read_from; int Parcel; int Parcelable; int given; int exactly;
    int data; int reply; int result; int tag; int size; int end; int start; int descriptor; int binder;
}
