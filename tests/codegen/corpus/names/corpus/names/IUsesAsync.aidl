package corpus.names;

import corpus.names.lambda.async.Async;

interface IUsesAsync { Async f(in Async a); }
