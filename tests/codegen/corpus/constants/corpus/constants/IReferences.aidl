package corpus.constants;

interface IReferences {
    const int A = B + 1;
    const int B = C * 2;
    const int C = 5;
    const int D = IReferences.A;
    const int E = corpus.constants.IReferences.B;
    const int F = Level.HIGH + Level.LOW;
    const int G = Level.HIGH;
    const int H = Deep.Deeper.VALUE;
    @Backing(type="int") enum Level { LOW = 1, HIGH = 100 }
    parcelable Deep {
        parcelable Deeper {
            const int VALUE = 42;
        }
    }
}
