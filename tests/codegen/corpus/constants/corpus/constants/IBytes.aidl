package corpus.constants;

interface IBytes {
    const byte A = 127;
    const byte B = -128;
    const byte C = 0x7f;
    const byte D = 0xffu8;
    const byte E = 255u8;
    const byte F = 100 + 27;
    const byte G = true;
}
