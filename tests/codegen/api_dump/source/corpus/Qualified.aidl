package corpus;

import corpus.inner.Deep;

parcelable Qualified { corpus.Plain a; corpus.inner.Deep b; corpus.inner.Deep.In c; Deep d; Deep.Mode e; corpus.Byte f; }
