package corpus.positions;

/** String as what a union can be. */
union StringMembers {
    String plain = "y" + "z";
    String[] many;
    @nullable String[] maybe_many;
    String[2] two;
    @nullable String maybe;
    List<String> list;
}
