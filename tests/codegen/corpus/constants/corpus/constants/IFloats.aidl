package corpus.constants;

interface IFloats {
    const float A = 1.5f;
    const float B = -1.5f;
    const float C = 0.0f;
    const float D = .5f;
    const float E = 1f;
    const float F = 1e3f;
    const float G = 2.5e+2f;
    const double H = 1.5;
    const double I = -.25;
    const double J = 1e10;
    const double K = 1.5f;
    const double L = 3.0;
    const float M = +2.5f;
}
