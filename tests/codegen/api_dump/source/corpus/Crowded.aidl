package corpus;

/** @hide *//* more */parcelable Crowded{/** @deprecated */@nullable/*x*/String/*y*/a;/*@hide*/const/*z*/int K=/*w*/-1;parcelable In{}/** @hide */enum E{A/*@hide*/,/*@hide*/B}}
