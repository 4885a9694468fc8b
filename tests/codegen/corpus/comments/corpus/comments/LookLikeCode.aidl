package corpus.comments;

parcelable LookLikeCode {
    // int gone;
    /* String gone2; } */
    String a = "/* text */"; // " quote
    String b = "// text"; /* " ' */
    char c = '"'; // '
    char d = '/';
    int e = 4 / 2; /* / */
}
