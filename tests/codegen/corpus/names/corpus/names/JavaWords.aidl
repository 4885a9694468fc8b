package corpus.names;

parcelable JavaWords { int package_; int string; int Integer; int System; int Object; int toString; int hash; int var; int record; }
