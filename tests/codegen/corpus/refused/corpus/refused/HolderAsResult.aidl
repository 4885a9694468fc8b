package corpus.refused;

interface HolderAsResult { ParcelableHolder f(); }
