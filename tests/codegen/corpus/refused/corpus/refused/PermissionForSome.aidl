package corpus.refused;

interface PermissionForSome { @EnforcePermission(x="A") void f(); }
