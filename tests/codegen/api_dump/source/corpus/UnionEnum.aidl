package corpus;

import corpus.Numbered;

@RustDerive(PartialEq=true, Clone=true) @JavaDerive(toString=true, equals=true)
union UnionEnum { Numbered a = Numbered.TWO; int b; }
