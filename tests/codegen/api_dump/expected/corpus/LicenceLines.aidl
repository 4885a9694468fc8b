// One line.
//
// Another.
package corpus;
parcelable LicenceLines {
}
