package corpus.positions;

/** File in every position that a field has. */
parcelable FileFields {
    ParcelFileDescriptor plain;
    @nullable ParcelFileDescriptor maybe;
    ParcelFileDescriptor[] many;
    @nullable ParcelFileDescriptor[] maybe_many;
    ParcelFileDescriptor[3] three;
    @nullable ParcelFileDescriptor[2] maybe_two;
    ParcelFileDescriptor[2][3] grid;
    List<ParcelFileDescriptor> list;
    @nullable List<ParcelFileDescriptor> maybe_list;
    Map<String, ParcelFileDescriptor> map;
}
