package corpus.imports;

import corpus.imports.A;
import corpus.imports.B;
import corpus.imports.other.C;

interface IUnused { void f(); }
