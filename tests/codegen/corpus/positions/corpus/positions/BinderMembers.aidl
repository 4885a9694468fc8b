package corpus.positions;

/** Binder as what a union can be. */
union BinderMembers {
    IBinder plain;
    IBinder[] many;
    @nullable IBinder[] maybe_many;
    IBinder[2] two;
    @nullable IBinder maybe;
    List<IBinder> list;
}
