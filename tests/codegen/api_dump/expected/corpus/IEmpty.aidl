package corpus;
interface IEmpty {
}
