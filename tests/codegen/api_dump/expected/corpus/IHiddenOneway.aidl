package corpus;
/* @hide */
interface IHiddenOneway {
  oneway void a();
}
