package corpus.positions;

/** String in every position and direction that an argument has. */
interface IStringArguments {
    String plain(String a);
    @nullable String maybe(@nullable String a);
    String[] many(in String[] a, out String[] b, inout String[] c);
    @nullable String[] maybeMany(in @nullable String[] a, out @nullable String[] b, inout @nullable String[] c);
    String[2] two(in String[2] a, out String[2] b, inout String[2] c);
    String[2][3] grid(in String[2][3] a, out String[2][3] b, inout String[2][3] c);
    List<String> list(in List<String> a, out List<String> b, inout List<String> c);
    Map<String, String> map(in Map<String, String> a);
    oneway void tell(String a, in String[] b, in String[1] c);
}
