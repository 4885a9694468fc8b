package corpus.space;

parcelable	Tabs	{
	int	a	=	1	;
		int	b;
	@nullable	String	c;
}
