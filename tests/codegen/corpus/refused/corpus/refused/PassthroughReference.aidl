package corpus.refused;

interface PassthroughReference { const String K = "x"; @JavaPassthrough(annotation=K) void f(); }
