package corpus.unstructured;

/** Its bytes are written by hand. */
parcelable Rect cpp_header "corpus/Rect.h";
