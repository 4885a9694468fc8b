package corpus.vintf;

@VintfStability
@FixedSize
parcelable Fixed { long a; int[4] b; }
