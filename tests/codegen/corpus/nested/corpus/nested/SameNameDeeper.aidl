package corpus.nested;

/** The nearest declaration counts. */
parcelable SameNameDeeper {
    parcelable Item { int outer; }
    parcelable Holder {
        parcelable Item { String inner; }
        Item near;
        SameNameDeeper.Item far;
    }
    Item item;
    Holder.Item other;
}
