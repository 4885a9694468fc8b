package corpus.positions;

/** ByteEnum in every position and direction that an argument has. */
interface IByteEnumArguments {
    corpus.positions.Small plain(corpus.positions.Small a);
    corpus.positions.Small[] many(in corpus.positions.Small[] a, out corpus.positions.Small[] b, inout corpus.positions.Small[] c);
    @nullable corpus.positions.Small[] maybeMany(in @nullable corpus.positions.Small[] a, out @nullable corpus.positions.Small[] b, inout @nullable corpus.positions.Small[] c);
    corpus.positions.Small[2] two(in corpus.positions.Small[2] a, out corpus.positions.Small[2] b, inout corpus.positions.Small[2] c);
    corpus.positions.Small[2][3] grid(in corpus.positions.Small[2][3] a, out corpus.positions.Small[2][3] b, inout corpus.positions.Small[2][3] c);
    oneway void tell(corpus.positions.Small a, in corpus.positions.Small[] b, in corpus.positions.Small[1] c);
}
