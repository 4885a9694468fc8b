package corpus.refused.structured;

interface UnstructuredArgument { void f(in corpus.refused.structured.Unstructured a); }
