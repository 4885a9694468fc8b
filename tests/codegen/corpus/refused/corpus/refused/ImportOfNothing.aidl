package corpus.refused;

import corpus.refused.Nowhere;

parcelable ImportOfNothing { int a; }
