package corpus;

@SensitiveData @RequiresNoPermission @JavaDelegator @JavaDefault
@Descriptor(value="other.Name")
interface IAnnotated { void a(); }
