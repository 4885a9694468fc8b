/*
 * Copyright of nobody. To be used for anything.
 */

// Two kinds of comments come before the package.
package corpus.comments;

// And some after it.

/* Not documentation. */
parcelable Licence {
    int a;
}
