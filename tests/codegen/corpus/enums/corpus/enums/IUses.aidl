package corpus.enums;

import corpus.enums.ByteBacked;
import corpus.enums.IntBacked;
import corpus.enums.LongBacked;

interface IUses {
    ByteBacked b(ByteBacked x, in ByteBacked[] y, out ByteBacked[] z, inout ByteBacked[] w);
    IntBacked i(IntBacked x, in IntBacked[] y, out IntBacked[] z, inout IntBacked[] w);
    LongBacked l(LongBacked x, in LongBacked[] y, out LongBacked[] z, inout LongBacked[] w);
    ByteBacked[] bs(in @nullable ByteBacked[] x, out ByteBacked[3] y, inout ByteBacked[3] z);
    IntBacked[] is();
    @nullable LongBacked[] ls();
}
