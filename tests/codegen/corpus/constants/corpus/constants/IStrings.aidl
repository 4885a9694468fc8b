package corpus.constants;

interface IStrings {
    const String EMPTY = "";
    const String ONE = "one";
    const String JOINED = "a" + "b" + "c";
    const String URL = "http://host/*path*/";
    const String SLASHES = "// no comment";
    const String QUOTES = "it's";
    const String BRACES = "{ } ( ) [ ] ; ,";
    const String AT = "@nullable";
    const String SPACES = "  two  ";
    const String REFERENCE = ONE + "+" + JOINED;
    const @utf8InCpp String NARROW = "narrow";
    const String ALL = " !#$%&'()*+,-./0123456789:;<=>?@AZ[]^_`az{|}~";
}
