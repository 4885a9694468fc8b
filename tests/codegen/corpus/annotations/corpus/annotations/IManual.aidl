package corpus.annotations;

@PermissionManuallyEnforced
interface IManual { void a(); }
