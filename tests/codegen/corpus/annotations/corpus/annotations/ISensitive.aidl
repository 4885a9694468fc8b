package corpus.annotations;

/** What is said here is wiped from memory. */
@SensitiveData
interface ISensitive {
    void tell(String secret);
    String ask();
}
