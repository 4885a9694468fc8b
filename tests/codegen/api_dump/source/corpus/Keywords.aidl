package corpus;

/* interface */ /** @hide */ // parcelable
@JavaDerive(toString=true) /* union */
parcelable /* enum */ Keywords {}
