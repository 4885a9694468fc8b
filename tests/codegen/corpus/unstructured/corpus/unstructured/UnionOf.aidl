package corpus.unstructured;

union UnionOf { int a = 1; corpus.unstructured.Rect b; @nullable corpus.unstructured.Rect c; }
