package corpus.refused;

parcelable CppType { uint32_t a; }
