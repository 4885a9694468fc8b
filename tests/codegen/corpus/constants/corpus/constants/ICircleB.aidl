package corpus.constants;

interface ICircleB {
    const int B = corpus.constants.ICircleA.C + 1;
}
