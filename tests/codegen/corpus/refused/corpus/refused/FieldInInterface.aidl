package corpus.refused;

interface FieldInInterface { int a; }
