package corpus.space;

parcelable TrailingSpace {   
    int a;  
    int b;	
}   
