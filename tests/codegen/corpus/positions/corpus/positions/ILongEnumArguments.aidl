package corpus.positions;

/** LongEnum in every position and direction that an argument has. */
interface ILongEnumArguments {
    corpus.positions.Big plain(corpus.positions.Big a);
    corpus.positions.Big[] many(in corpus.positions.Big[] a, out corpus.positions.Big[] b, inout corpus.positions.Big[] c);
    @nullable corpus.positions.Big[] maybeMany(in @nullable corpus.positions.Big[] a, out @nullable corpus.positions.Big[] b, inout @nullable corpus.positions.Big[] c);
    corpus.positions.Big[2] two(in corpus.positions.Big[2] a, out corpus.positions.Big[2] b, inout corpus.positions.Big[2] c);
    corpus.positions.Big[2][3] grid(in corpus.positions.Big[2][3] a, out corpus.positions.Big[2][3] b, inout corpus.positions.Big[2][3] c);
    oneway void tell(corpus.positions.Big a, in corpus.positions.Big[] b, in corpus.positions.Big[1] c);
}
