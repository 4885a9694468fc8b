package corpus.unstructured;

parcelable GenericOne<T> cpp_header "g.h";
