package corpus.imports;

import corpus.imports.ICircleThree;

interface ICircleTwo { ICircleThree other(ICircleTwo self); }
