package corpus.refused;

parcelable ImportBehind { int a; }
import corpus.refused.ImportBehind;
