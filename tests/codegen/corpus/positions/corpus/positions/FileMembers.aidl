package corpus.positions;

/** File as what a union can be. */
union FileMembers {
    ParcelFileDescriptor plain;
    ParcelFileDescriptor[] many;
    @nullable ParcelFileDescriptor[] maybe_many;
    ParcelFileDescriptor[2] two;
    @nullable ParcelFileDescriptor maybe;
    List<ParcelFileDescriptor> list;
}
