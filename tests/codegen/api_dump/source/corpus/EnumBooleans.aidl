package corpus;

enum EnumBooleans { A = true, B = 1 == 2, C = !0 }
