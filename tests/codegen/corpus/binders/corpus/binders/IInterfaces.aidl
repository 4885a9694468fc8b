package corpus.binders;

interface IInterfaces {
    IInterfaces a(IInterfaces x, @nullable IInterfaces y);
    IInterfaces[] b(in IInterfaces[] x, out IInterfaces[] y, inout IInterfaces[] z);
    List<IInterfaces> c(in List<IInterfaces> x, out List<IInterfaces> y, inout List<IInterfaces> z);
    IInterfaces[3] d(in IInterfaces[3] x, out IInterfaces[3] y, inout IInterfaces[3] z);
    @nullable IInterfaces[] e(in @nullable IInterfaces[] x);
    IInterfaces[2][2] f(in IInterfaces[2][2] x);
}
