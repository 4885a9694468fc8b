package corpus.positions;

/** IntEnum in every position and direction that an argument has. */
interface IIntEnumArguments {
    corpus.positions.Middle plain(corpus.positions.Middle a);
    corpus.positions.Middle[] many(in corpus.positions.Middle[] a, out corpus.positions.Middle[] b, inout corpus.positions.Middle[] c);
    @nullable corpus.positions.Middle[] maybeMany(in @nullable corpus.positions.Middle[] a, out @nullable corpus.positions.Middle[] b, inout @nullable corpus.positions.Middle[] c);
    corpus.positions.Middle[2] two(in corpus.positions.Middle[2] a, out corpus.positions.Middle[2] b, inout corpus.positions.Middle[2] c);
    corpus.positions.Middle[2][3] grid(in corpus.positions.Middle[2][3] a, out corpus.positions.Middle[2][3] b, inout corpus.positions.Middle[2][3] c);
    oneway void tell(corpus.positions.Middle a, in corpus.positions.Middle[] b, in corpus.positions.Middle[1] c);
}
