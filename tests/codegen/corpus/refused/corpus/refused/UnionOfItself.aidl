package corpus.refused;

union UnionOfItself { UnionOfItself a; int b; }
