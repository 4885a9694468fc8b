package corpus.annotations;

@RequiresNoPermission
interface INoPermission { void a(); }
