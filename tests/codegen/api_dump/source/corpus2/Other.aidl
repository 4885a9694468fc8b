package corpus2;

import corpus.Choice;

parcelable Other { corpus.Plain a; Choice b; corpus.Choice.Tag c; corpus.Numbered d = corpus.Numbered.ONE; Local e; parcelable Local { int a; } }
