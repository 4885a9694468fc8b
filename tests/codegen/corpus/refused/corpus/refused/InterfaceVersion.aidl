package corpus.refused;

interface InterfaceVersion { int getInterfaceVersion(); }
