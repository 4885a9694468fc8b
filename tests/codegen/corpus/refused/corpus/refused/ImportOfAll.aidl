package corpus.refused;

import corpus.refused.*;

parcelable ImportOfAll { int a; }
