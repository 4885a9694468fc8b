package corpus.positions;

/** Float in every position and direction that an argument has. */
interface IFloatArguments {
    float plain(float a);
    float[] many(in float[] a, out float[] b, inout float[] c);
    @nullable float[] maybeMany(in @nullable float[] a, out @nullable float[] b, inout @nullable float[] c);
    float[2] two(in float[2] a, out float[2] b, inout float[2] c);
    float[2][3] grid(in float[2][3] a, out float[2][3] b, inout float[2][3] c);
    oneway void tell(float a, in float[] b, in float[1] c);
}
