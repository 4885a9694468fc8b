package stable;
@VintfStability
interface IStable {
  void a(in stable.StableData d);
  @nullable stable.IStable b();
  const int VERSION = 1;
}
