package corpus;

parcelable Plain {
    int a;
}
