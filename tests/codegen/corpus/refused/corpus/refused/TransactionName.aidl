package corpus.refused;

interface TransactionName { String getTransactionName(int code); }
