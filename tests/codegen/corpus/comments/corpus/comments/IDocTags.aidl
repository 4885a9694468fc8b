package corpus.comments;

/**
 * Does things.
 *
 * <p>A paragraph, {@link corpus.comments.Stars}, and an e-mail: a@b.
 *
 * @see Stars
 * @deprecated use something else
 */
interface IDocTags {
    /**
     * Adds.
     *
     * @param a the first
     * @param b the second
     * @return the sum
     * @throws nothing
     */
    int add(int a, int b);

    /** @deprecated Never worked. */
    void broken();

    /** One line with "quotes", 'single ones', and a \ backslash. */
    void quoted();

    /** Ends with a quote: "x" */
    void endsWithQuote();

    /** Contains \"\"\" of Python. """ */
    void tripleQuotes();

    /** Ends with a backslash \ */
    void endsWithBackslash();

    /**
     * 	Tabs and   spaces.
     *   indented
     *     more
     */
    void indented();

    /** First. */ /** Second: this one counts. */
    void two();
    /** Not for the next. */
    // A line between.
    void between();
    void none(); /** Behind. */
}
