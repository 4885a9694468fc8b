package corpus;

@SuppressWarnings(value={"const-name"})
enum EnumSuppress { lower }
