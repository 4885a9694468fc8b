package corpus.constants;

interface ISuffixes {
    const int A = 1u32;
    const int B = 4294967295u32;
    const long C = 1u64;
    const long D = 18446744073709551615u64;
    const byte E = 1u8;
    const int F = 0xffu32;
    const long G = 0x1u64;
}
