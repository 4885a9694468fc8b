package corpus.positions;

/** Byte in every position that a field has. */
parcelable ByteFields {
    byte plain;
    byte valued = -1;
    byte[] many;
    byte[] listed = {-1, 0x7f};
    @nullable byte[] maybe_many;
    byte[3] three;
    @nullable byte[2] maybe_two;
    byte[2][3] grid;
}
