package corpus.positions;

/** Interface in every position and direction that an argument has. */
interface IInterfaceArguments {
    corpus.positions.ITarget plain(corpus.positions.ITarget a);
    @nullable corpus.positions.ITarget maybe(@nullable corpus.positions.ITarget a);
    corpus.positions.ITarget[] many(in corpus.positions.ITarget[] a, out corpus.positions.ITarget[] b, inout corpus.positions.ITarget[] c);
    @nullable corpus.positions.ITarget[] maybeMany(in @nullable corpus.positions.ITarget[] a, out @nullable corpus.positions.ITarget[] b, inout @nullable corpus.positions.ITarget[] c);
    corpus.positions.ITarget[2] two(in corpus.positions.ITarget[2] a, out corpus.positions.ITarget[2] b, inout corpus.positions.ITarget[2] c);
    corpus.positions.ITarget[2][3] grid(in corpus.positions.ITarget[2][3] a, out corpus.positions.ITarget[2][3] b, inout corpus.positions.ITarget[2][3] c);
    List<corpus.positions.ITarget> list(in List<corpus.positions.ITarget> a, out List<corpus.positions.ITarget> b, inout List<corpus.positions.ITarget> c);
    Map<String, corpus.positions.ITarget> map(in Map<String, corpus.positions.ITarget> a);
    oneway void tell(corpus.positions.ITarget a, in corpus.positions.ITarget[] b, in corpus.positions.ITarget[1] c);
}
