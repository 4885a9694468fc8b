package corpus.differences;

interface ForwardInterface;
