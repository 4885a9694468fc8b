package corpus.unstructured;

import corpus.unstructured.NoHeader;
import corpus.unstructured.Rect;

interface IUses {
    Rect a(in Rect x, out Rect y, inout Rect z);
    Rect[] b(in Rect[] x, out Rect[] y, inout Rect[] z);
    @nullable NoHeader c(in @nullable NoHeader x);
    List<Rect> d(in List<Rect> x, out List<Rect> y);
}
