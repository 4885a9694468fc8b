package corpus;
interface IOnewayWhole {
  oneway void a();
  oneway void b();
  const int K = 1;
}
