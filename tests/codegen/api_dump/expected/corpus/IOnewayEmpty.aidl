package corpus;
interface IOnewayEmpty {
}
