package corpus;

import corpus.Numbered;
import corpus.Byte;
import corpus.inner.Deep;
import corpus.Choice;

parcelable DefaultsReferences {
    Numbered a = Numbered.TWO; corpus.Numbered b = corpus.Numbered.ALSO_TEN; Byte c;
    int d = Numbered.TEN; long e = Deep.SIZE; Deep.Mode f = Deep.Mode.OFF; int g = Deep.SIZE + K;
    const int K = 7; int h = K; int i = DefaultsReferences.K; String j = S; const String S = "s"; boolean k = Deep.SIZE == 4;
    Choice.Tag l = Choice.Tag.text;
}
