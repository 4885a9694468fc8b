package stable;
@VintfStability
union StableUnion {
  int a;
  stable.StableMode b;
}
