package corpus.space;

parcelable BlankLines {



    int a;



    int b;



}
