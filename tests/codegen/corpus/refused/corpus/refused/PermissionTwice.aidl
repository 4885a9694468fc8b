package corpus.refused;

@EnforcePermission("A") interface PermissionTwice { @EnforcePermission("B") void f(); }
