package corpus.arrays;

parcelable TrailingCommas { int[] a = {1,}; int[2] b = {1, 2,}; int[1][1] c = {{1,},}; String[] d = {"x",}; }
