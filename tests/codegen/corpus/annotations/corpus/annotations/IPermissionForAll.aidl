package corpus.annotations;

@EnforcePermission("ALL")
interface IPermissionForAll {
    void a();
    int b(int x);
}
