package corpus.constants;

interface IHexForms {
    const int A = 0xabcdef;
    const int B = 0XABCDEF;
    const int C = 0xAbCd;
    const long D = 0x123456789abcdef;
    const int E = 0x0;
    const int F = 0x00000000ff;
    const byte G = 0x01;
    const long H = 0xffffffffL - 0xffffffff;
}
