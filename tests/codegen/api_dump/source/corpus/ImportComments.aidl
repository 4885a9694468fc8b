/* licence */
package corpus; // after

// before the first import
import corpus.Plain; // after the import
/* before the second */
import corpus.Byte;
/* not kept */
parcelable ImportComments { @nullable Plain a; Byte b; }
