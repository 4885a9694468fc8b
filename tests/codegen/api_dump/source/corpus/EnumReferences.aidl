package corpus;

import corpus.Numbered;

@Backing(type="int")
enum EnumReferences { A = 1, B = A, C = EnumReferences.B, D, E = Numbered.TEN, F = Numbered.TEN | A, G = ~A, H = (3) }
