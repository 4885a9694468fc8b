package corpus.unions;

union HeapRecursive {
    int leaf = 0;
    @nullable(heap=true) HeapRecursive inner;
}
