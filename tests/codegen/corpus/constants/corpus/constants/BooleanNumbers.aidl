package corpus.constants;

parcelable BooleanNumbers { boolean a = 5; boolean b = 0; boolean c = 1; boolean[] d = {0, 1}; int e = true; byte f = false; }
