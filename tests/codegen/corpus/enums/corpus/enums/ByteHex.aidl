package corpus.enums;

@Backing(type="byte")
enum ByteHex { A = 0x7f, B = 0x10, C = 0xffu8 }
