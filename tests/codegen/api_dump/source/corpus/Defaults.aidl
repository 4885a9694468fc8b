package corpus;

parcelable Defaults {
    boolean a = true; boolean b = 1 > 2; boolean c = !true;
    byte d = -3; byte e = 0xffu8; char f = 'x'; char g = ' ';
    int h = 1 + 1; int i = (3); int j = 0x10; long k = 5; long l = -5L; long m = 1L << 33;
    float n = 1f; float o = -1.5f; double p = 2.0; double q = -2.5;
    String r = "hi"; String s = ""; String t = "a" + "b"; int u = true;
}
