package stable;
@Backing(type="int") @VintfStability
enum StableMode {
  FAST,
  SLOW,
}
