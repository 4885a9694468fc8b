import corpus.refused.Target;
package corpus.refused;
parcelable ImportBeforePackage { int a; }
