package corpus.positions;

/** String in every position that a field has. */
parcelable StringFields {
    String plain;
    String valued = "x";
    @nullable String maybe;
    String[] many;
    String[] listed = {"x", "y" + "z"};
    @nullable String[] maybe_many;
    String[3] three;
    @nullable String[2] maybe_two;
    String[2][3] grid;
    List<String> list;
    @nullable List<String> maybe_list;
    Map<String, String> map;
}
