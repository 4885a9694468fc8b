package corpus.parcelables;

parcelable EnumFields {
    @Backing(type="int") enum Color { RED = 3, GREEN, BLUE }
    enum Small { A = 1, B }
    @Backing(type="long") enum Large { ONE = 1L << 50 }
    Color color = Color.GREEN;
    Color zero;
    Color[] colors = {Color.RED, EnumFields.Color.BLUE};
    Small small = Small.B;
    Small[] smalls;
    Small[3] three;
    Large large = corpus.parcelables.EnumFields.Large.ONE;
    Large[2] two;
}
