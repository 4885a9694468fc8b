package corpus.interfaces;

import corpus.interfaces.INestedTypes;

interface INullableReturns {
    @nullable int[] ints();
    @nullable String string();
    @nullable String[] strings();
    @nullable IBinder binder();
    @nullable IBinder[] binders();
    @nullable ParcelFileDescriptor file();
    @nullable List<String> list();
    @nullable INestedTypes.Request request();
    @nullable INestedTypes.Answer answer();
    @nullable INestedTypes.Request[] requests();
    @nullable int[3] fixed();
}
