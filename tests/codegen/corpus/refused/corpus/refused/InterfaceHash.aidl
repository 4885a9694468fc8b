package corpus.refused;

interface InterfaceHash { String getInterfaceHash(); }
