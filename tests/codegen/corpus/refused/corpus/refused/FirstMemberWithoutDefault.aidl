package corpus.refused;

union FirstMemberWithoutDefault { int[] a; int b; }
