package corpus.parcelables;

import corpus.parcelables.Nested;
import corpus.parcelables.Scalars;

parcelable OfOthers {
    Scalars a;
    @nullable Scalars b;
    Scalars[] c;
    @nullable Scalars[] d;
    Scalars[2] e;
    Scalars[2][2] f;
    @nullable Scalars[2] g;
    Nested.One.Two.Three.Four h;
    Nested.One[] i;
}
