/* licence */// after
// before the first import
// after the import
/* before the second */
package corpus;
parcelable ImportComments {
  @nullable corpus.Plain a;
  corpus.Byte b;
}
