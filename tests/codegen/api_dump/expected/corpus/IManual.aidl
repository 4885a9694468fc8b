package corpus;
@PermissionManuallyEnforced
interface IManual {
  void a();
}
