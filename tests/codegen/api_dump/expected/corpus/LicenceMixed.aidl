// One.
/* two *//* three *//** four */
package corpus;
parcelable LicenceMixed {
  @nullable corpus.Plain a;
}
