package corpus.imports;

import corpus.imports.ICircleTwo;

interface ICircleOne { ICircleTwo other(ICircleOne self); }
