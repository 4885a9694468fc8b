package corpus.positions;

/** Byte as what a union can be. */
union ByteMembers {
    byte plain = 0x7f;
    byte[] many;
    @nullable byte[] maybe_many;
    byte[2] two;
}
