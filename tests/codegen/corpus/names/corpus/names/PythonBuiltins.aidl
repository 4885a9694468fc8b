package corpus.names;

parcelable PythonBuiltins {
    int type; int list; int str; int bytes; int object; int id; int property; int super_; int self; int cls;
    int dict; int float_; int bool; int print; int len; int Any; int Self; int field; int dataclass;
}
