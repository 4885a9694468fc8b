package corpus;
@Backing(type="int")
enum EnumReferences {
  A = 1,
  B = A /* 1 */,
  C = corpus.EnumReferences.B /* 1 */,
  D,
  E = corpus.Numbered.TEN /* 10 */,
  F = (corpus.Numbered.TEN | A) /* 11 */,
  G = (~A) /* -2 */,
  H = 3,
}
