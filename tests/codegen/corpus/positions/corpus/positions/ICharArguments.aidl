package corpus.positions;

/** Char in every position and direction that an argument has. */
interface ICharArguments {
    char plain(char a);
    char[] many(in char[] a, out char[] b, inout char[] c);
    @nullable char[] maybeMany(in @nullable char[] a, out @nullable char[] b, inout @nullable char[] c);
    char[2] two(in char[2] a, out char[2] b, inout char[2] c);
    char[2][3] grid(in char[2][3] a, out char[2][3] b, inout char[2][3] c);
    oneway void tell(char a, in char[] b, in char[1] c);
}
