package corpus;
@Descriptor(value="other.Name") @JavaDefault @JavaDelegator @RequiresNoPermission @SensitiveData
interface IAnnotated {
  void a();
}
