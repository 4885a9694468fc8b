package corpus;

enum Byte { A, B, C }
