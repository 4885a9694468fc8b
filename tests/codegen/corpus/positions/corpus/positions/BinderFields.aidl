package corpus.positions;

/** Binder in every position that a field has. */
parcelable BinderFields {
    IBinder plain;
    @nullable IBinder maybe;
    IBinder[] many;
    @nullable IBinder[] maybe_many;
    IBinder[3] three;
    @nullable IBinder[2] maybe_two;
    IBinder[2][3] grid;
    List<IBinder> list;
    @nullable List<IBinder> maybe_list;
    Map<String, IBinder> map;
}
