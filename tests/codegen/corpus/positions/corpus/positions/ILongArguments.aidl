package corpus.positions;

/** Long in every position and direction that an argument has. */
interface ILongArguments {
    long plain(long a);
    long[] many(in long[] a, out long[] b, inout long[] c);
    @nullable long[] maybeMany(in @nullable long[] a, out @nullable long[] b, inout @nullable long[] c);
    long[2] two(in long[2] a, out long[2] b, inout long[2] c);
    long[2][3] grid(in long[2][3] a, out long[2][3] b, inout long[2][3] c);
    oneway void tell(long a, in long[] b, in long[1] c);
}
