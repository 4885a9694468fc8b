package corpus.unstructured;

@NdkOnlyStableParcelable
parcelable NdkStable ndk_header "x.h";
