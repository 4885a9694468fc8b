package stable;
@JavaDerive(toString=true) @VintfStability
parcelable StableData {
  stable.StableMode mode = stable.StableMode.SLOW;
  stable.StableUnion u;
  parcelable In {
    int a;
  }
}
