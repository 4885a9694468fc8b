package corpus.refused;

@JavaDerive(equals="yes") parcelable WrongArgument { int a; }
