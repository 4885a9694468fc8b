package corpus;

@EnforcePermission(allOf={"A", "B"})
interface IEnforced { void a(); }
