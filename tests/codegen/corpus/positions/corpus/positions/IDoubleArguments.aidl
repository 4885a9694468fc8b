package corpus.positions;

/** Double in every position and direction that an argument has. */
interface IDoubleArguments {
    double plain(double a);
    double[] many(in double[] a, out double[] b, inout double[] c);
    @nullable double[] maybeMany(in @nullable double[] a, out @nullable double[] b, inout @nullable double[] c);
    double[2] two(in double[2] a, out double[2] b, inout double[2] c);
    double[2][3] grid(in double[2][3] a, out double[2][3] b, inout double[2][3] c);
    oneway void tell(double a, in double[] b, in double[1] c);
}
