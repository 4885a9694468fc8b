package corpus.comments;

interface IMethodComments {
    /* 1 */ void /* 2 */ f /* 3 */ ( /* 4 */ in /* 5 */ int /* 6 */ a /* 7 */ , /* 8 */ out /* 9 */ int[] /* 10 */ b ) /* 11 */ ;
    void g( // nothing
    ) // still nothing
    ; // done
    /* id */ oneway /* really */ void h();
}
