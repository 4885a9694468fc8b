package corpus.positions;

/** Byte in every position and direction that an argument has. */
interface IByteArguments {
    byte plain(byte a);
    byte[] many(in byte[] a, out byte[] b, inout byte[] c);
    @nullable byte[] maybeMany(in @nullable byte[] a, out @nullable byte[] b, inout @nullable byte[] c);
    byte[2] two(in byte[2] a, out byte[2] b, inout byte[2] c);
    byte[2][3] grid(in byte[2][3] a, out byte[2][3] b, inout byte[2][3] c);
    oneway void tell(byte a, in byte[] b, in byte[1] c);
}
