package corpus.unstructured;

import corpus.unstructured.Rect;
import corpus.unstructured.Several.Inner;

parcelable Uses {
    Rect a;
    @nullable Rect b;
    Rect[] c;
    List<Rect> d;
    Inner e;
    corpus.unstructured.Several.Other f;
    Map<String, Rect> g;
    corpus.unstructured.GenericOne<String> h;
    Rect[2] i;
}
