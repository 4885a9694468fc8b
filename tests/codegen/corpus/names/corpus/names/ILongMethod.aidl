package corpus.names;

interface ILongMethod {
    List<corpus.names.LongNames> aMethodWithANameThatIsLongEnoughToFillAWholeLineOfTheGeneratedCodeByItselfOrNearly(
            in corpus.names.LongNames theFirstOfItsParameters, out corpus.names.LongNames[] theSecondOfItsParameters);
}
