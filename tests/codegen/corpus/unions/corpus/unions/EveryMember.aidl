package corpus.unions;

import corpus.unions.IThing;
import corpus.unions.Plain;

union EveryMember {
    boolean z = true;
    byte b;
    char c;
    int i;
    long l;
    float f;
    double d;
    String s;
    @nullable String ns;
    IBinder binder;
    @nullable IBinder nbinder;
    ParcelFileDescriptor file;
    @nullable ParcelFileDescriptor nfile;
    IThing thing;
    @nullable IThing nthing;
    Plain plain;
    @nullable Plain nplain;
    Plain.Tag tag;
    int[] ints;
    byte[] bytes;
    String[] strings;
    @nullable String[] nstrings;
    IBinder[] binders;
    Plain[] plains;
    IThing[] things;
    int[3] three;
    byte[2][3] grid;
    List<String> list;
    Map<String, String> map;
}
