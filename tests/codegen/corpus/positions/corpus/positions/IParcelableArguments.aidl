package corpus.positions;

/** Parcelable in every position and direction that an argument has. */
interface IParcelableArguments {
    corpus.positions.Target plain(in corpus.positions.Target a, out corpus.positions.Target b, inout corpus.positions.Target c);
    @nullable corpus.positions.Target maybe(in @nullable corpus.positions.Target a);
    corpus.positions.Target[] many(in corpus.positions.Target[] a, out corpus.positions.Target[] b, inout corpus.positions.Target[] c);
    @nullable corpus.positions.Target[] maybeMany(in @nullable corpus.positions.Target[] a, out @nullable corpus.positions.Target[] b, inout @nullable corpus.positions.Target[] c);
    corpus.positions.Target[2] two(in corpus.positions.Target[2] a, out corpus.positions.Target[2] b, inout corpus.positions.Target[2] c);
    corpus.positions.Target[2][3] grid(in corpus.positions.Target[2][3] a, out corpus.positions.Target[2][3] b, inout corpus.positions.Target[2][3] c);
    List<corpus.positions.Target> list(in List<corpus.positions.Target> a, out List<corpus.positions.Target> b, inout List<corpus.positions.Target> c);
    Map<String, corpus.positions.Target> map(in Map<String, corpus.positions.Target> a);
    oneway void tell(in corpus.positions.Target a, in corpus.positions.Target[] b, in corpus.positions.Target[1] c);
}
