package corpus.positions;

/** Int in every position and direction that an argument has. */
interface IIntArguments {
    int plain(int a);
    int[] many(in int[] a, out int[] b, inout int[] c);
    @nullable int[] maybeMany(in @nullable int[] a, out @nullable int[] b, inout @nullable int[] c);
    int[2] two(in int[2] a, out int[2] b, inout int[2] c);
    int[2][3] grid(in int[2][3] a, out int[2][3] b, inout int[2][3] c);
    oneway void tell(int a, in int[] b, in int[1] c);
}
