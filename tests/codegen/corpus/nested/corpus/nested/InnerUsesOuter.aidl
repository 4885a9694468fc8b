package corpus.nested;

parcelable InnerUsesOuter {
    int x = 1;
    interface IVisitor { void visit(in InnerUsesOuter node); }
    parcelable Child { List<InnerUsesOuter> parents; }
    Child child;
}
