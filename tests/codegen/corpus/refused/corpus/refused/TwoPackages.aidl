package corpus.refused;
package corpus.refused;
parcelable TwoPackages { int a; }
