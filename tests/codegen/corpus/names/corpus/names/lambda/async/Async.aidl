package corpus.names.lambda.async;

/** Its package has words of Python. */
parcelable Async { int a; }
