package corpus.unions;

union ArrayFirst { int[] a = {1, 2, 3}; String[] b; }
