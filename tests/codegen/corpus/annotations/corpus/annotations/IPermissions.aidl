package corpus.annotations;

interface IPermissions {
    @EnforcePermission("ONE") void a();
    @EnforcePermission(value="TWO") void b();
    @EnforcePermission(anyOf={"ONE", "TWO"}) void c();
    @EnforcePermission(allOf={"ONE", "TWO",}) void d();
    @RequiresNoPermission void e();
    @PermissionManuallyEnforced void f();
}
