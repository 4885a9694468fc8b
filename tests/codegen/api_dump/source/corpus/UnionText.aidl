package corpus;

union UnionText { String s = "a" + "b"; int d; }
