/*
 * Somebody's licence.
 *   Indented.
 */

package corpus;

parcelable Licence {}
