package corpus.refused;

@JavaDerive(hashCode=true) parcelable UnknownArgument { int a; }
