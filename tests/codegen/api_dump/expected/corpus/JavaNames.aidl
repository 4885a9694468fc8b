package corpus;
parcelable JavaNames {
  ParcelFileDescriptor a;
  List<String> b;
  Map<String,String> c;
}
