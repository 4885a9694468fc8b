package corpus.differences;

parcelable FloatSigns {
    float a = -(-1.5f);
    double[] b = {+-2.5};
}
