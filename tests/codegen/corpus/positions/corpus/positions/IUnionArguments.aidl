package corpus.positions;

/** Union in every position and direction that an argument has. */
interface IUnionArguments {
    corpus.positions.Choice plain(in corpus.positions.Choice a, out corpus.positions.Choice b, inout corpus.positions.Choice c);
    @nullable corpus.positions.Choice maybe(in @nullable corpus.positions.Choice a);
    corpus.positions.Choice[] many(in corpus.positions.Choice[] a, out corpus.positions.Choice[] b, inout corpus.positions.Choice[] c);
    @nullable corpus.positions.Choice[] maybeMany(in @nullable corpus.positions.Choice[] a, out @nullable corpus.positions.Choice[] b, inout @nullable corpus.positions.Choice[] c);
    corpus.positions.Choice[2] two(in corpus.positions.Choice[2] a, out corpus.positions.Choice[2] b, inout corpus.positions.Choice[2] c);
    corpus.positions.Choice[2][3] grid(in corpus.positions.Choice[2][3] a, out corpus.positions.Choice[2][3] b, inout corpus.positions.Choice[2][3] c);
    List<corpus.positions.Choice> list(in List<corpus.positions.Choice> a, out List<corpus.positions.Choice> b, inout List<corpus.positions.Choice> c);
    Map<String, corpus.positions.Choice> map(in Map<String, corpus.positions.Choice> a);
    oneway void tell(in corpus.positions.Choice a, in corpus.positions.Choice[] b, in corpus.positions.Choice[1] c);
}
