package corpus;

parcelable MultipleOnALine{int a;int b=1;String c="x,y;{}";/*x*/int/*y*/d/*z*/=/*w*/2;}
