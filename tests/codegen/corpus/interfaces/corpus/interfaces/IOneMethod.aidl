package corpus.interfaces;

interface IOneMethod {
    void ping();
}
