package corpus.refused;

interface AsBinder { IBinder asBinder(); }
