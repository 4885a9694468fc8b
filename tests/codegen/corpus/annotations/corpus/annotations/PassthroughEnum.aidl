package corpus.annotations;

@JavaPassthrough(annotation="@x.E")
@Backing(type="int")
enum PassthroughEnum { A, B }
