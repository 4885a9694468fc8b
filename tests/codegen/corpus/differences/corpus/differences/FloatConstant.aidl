package corpus.differences;

parcelable FloatConstant { const float F = 1.5f; double a = F; }
