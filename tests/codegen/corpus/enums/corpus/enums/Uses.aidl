package corpus.enums;

import corpus.enums.ByteBacked;
import corpus.enums.IntBacked;
import corpus.enums.LongBacked;

parcelable Uses {
    ByteBacked b = ByteBacked.HIGHEST;
    IntBacked i = IntBacked.HIGHEST;
    LongBacked l = LongBacked.BIT_40;
    ByteBacked[] bs = {ByteBacked.ZERO, ByteBacked.LOWEST};
    IntBacked[] is = {};
    LongBacked[] ls;
    ByteBacked[3] b3;
    IntBacked[2][2] i4;
    LongBacked[1] l1;
    @nullable ByteBacked[] nb;
    @nullable IntBacked[2] n2;
    ByteBacked no_default;
}
