package corpus.interfaces;

import corpus.interfaces.INestedTypes;

interface IReturnsEverything {
    int[] ints();
    String[] strings();
    byte[] bytes();
    IBinder binder();
    IBinder[] binders();
    ParcelFileDescriptor file();
    ParcelFileDescriptor[] files();
    List<String> list();
    Map<String, String> map();
    INestedTypes.Request request();
    INestedTypes.Request[] requests();
    INestedTypes.Result result();
    INestedTypes.Result[] results();
    INestedTypes.Answer.Tag tag();
    INestedTypes.Answer[] answers();
    int[4] fixed();
    String[2][2] matrix();
}
