package corpus.differences;

parcelable OtherEnum { enum E { X } enum F { X } E e = F.X; }
