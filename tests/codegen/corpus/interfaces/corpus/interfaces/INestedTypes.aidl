package corpus.interfaces;

interface INestedTypes {
    parcelable Request {
        int id;
        String name = "unnamed";
    }
    enum Result {
        GOOD,
        BAD,
    }
    union Answer {
        int code = 0;
        String text;
    }
    interface ICallback {
        void done(in Answer answer, Result result);
    }
    Result submit(in Request request, ICallback callback);
    Answer peek();
}
