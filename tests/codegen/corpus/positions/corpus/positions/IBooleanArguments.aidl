package corpus.positions;

/** Boolean in every position and direction that an argument has. */
interface IBooleanArguments {
    boolean plain(boolean a);
    boolean[] many(in boolean[] a, out boolean[] b, inout boolean[] c);
    @nullable boolean[] maybeMany(in @nullable boolean[] a, out @nullable boolean[] b, inout @nullable boolean[] c);
    boolean[2] two(in boolean[2] a, out boolean[2] b, inout boolean[2] c);
    boolean[2][3] grid(in boolean[2][3] a, out boolean[2][3] b, inout boolean[2][3] c);
    oneway void tell(boolean a, in boolean[] b, in boolean[1] c);
}
