// One.
	
// Two.
package corpus;

parcelable TrailingSpace {
    // @hide   
    int a; //  
    /** @deprecated x   
     *  y  */   
    int b;
}
