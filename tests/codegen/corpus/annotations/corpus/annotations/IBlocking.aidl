package corpus.annotations;

interface IBlocking {
    @PropagateAllowBlocking IBinder get();
}
