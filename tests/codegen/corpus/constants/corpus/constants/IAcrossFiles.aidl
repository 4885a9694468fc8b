package corpus.constants;

import corpus.constants.IReferences;
import corpus.constants.IStrings;

interface IAcrossFiles {
    const int A = IReferences.A;
    const int B = IReferences.Level.HIGH;
    const int C = corpus.constants.IIntegers.MAX;
    const String S = IStrings.ONE + "-" + corpus.constants.IStrings.JOINED;
    const int D = IReferences.Deep.Deeper.VALUE + 1;
}
