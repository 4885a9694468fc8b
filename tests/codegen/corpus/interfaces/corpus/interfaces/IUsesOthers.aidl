package corpus.interfaces;

import corpus.interfaces.IEmpty;
import corpus.interfaces.INestedTypes;

interface IUsesOthers {
    IEmpty get();
    @nullable IEmpty find(String name);
    void set(IEmpty value, @nullable IEmpty fallback);
    void setAll(in IEmpty[] values);
    IEmpty[] getAll();
    List<IEmpty> list(in List<IEmpty> before);
    INestedTypes.Request last();
    INestedTypes.ICallback callback();
}
