package corpus.imports;

import corpus.imports.ICircleOne;

interface ICircleThree { ICircleOne other(ICircleThree self); }
