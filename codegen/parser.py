"""Text to tree, with every syntax error of a file and not only the first.

The parser is lark's, for `grammar.lark`. At an error it does what yacc does: it drops what it has
begun until it is where the grammar allows `_ERROR`, pretends to have read that, skips to where
the next item can start, and goes on. Of errors at one place only the first is reported.
"""

from __future__ import annotations

import io
import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from lark import Lark, Token
from lark import __version__ as lark_version
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from . import rules, syntax
from .ast import Document
from .builder import Builder, ByRule
from .cache import Cache
from .comments import Comments, scan
from .diagnostics import Diagnostics
from .places import digest
from .quick import QuickParser
from .source import SourceFile, Span

MAX_ERRORS, MAX_ATTEMPTS = 50, 300
"""After so many syntax errors, or attempts to go on, the rest of a file is not worth reading."""

_LOCK = Lock()  # there is one builder, and it has one file at a time
_FOREIGN = re.compile(r"""[^\s\w"';,(){}\[\]<>=.*/%&|^!~+-]+""")
_SPACE = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*[\s\S]*?\*/)*")
_SKIPPED = re.compile(
    r"""
      "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? | //[^\n]* | /\*[\s\S]*?\*/
    | [;,(){}\[\]]
    """,
    re.VERBOSE,
)

# Where the parser can give up on one item and go on with the next.
_PARAMETERS, _ENUMERATORS, _MEMBERS, _FILE = "parameters", "enumerators", "members", "file"
_CLOSING = {_PARAMETERS: "RPAR", _ENUMERATORS: "RBRACE", _MEMBERS: "RBRACE"}
_BEGIN_ITEM = frozenset(
    {
        "RBRACE",
        "PACKAGE",
        "IMPORT",
        "INTERFACE",
        "PARCELABLE",
        "UNION",
        "ENUM",
        "CONST",
        "ONEWAY",
        "ANNOTATION",
    }
)


class _Machine(NamedTuple):
    careful: Lark
    quick: QuickParser
    builder: Builder


TABLES = "tables-"
"""What names of cached tables begin with."""

_kept: list[Cache] = []


def keep_tables_in(store: Cache) -> None:
    """Lets the parser's tables be taken from a cache; to be called before anything is parsed."""
    _kept[:] = [store]


@cache
def machine() -> _Machine:
    """The parser, made once in a process: it takes longer than most files do."""
    builder = Builder()
    lark = _lark(ByRule(builder), _kept[0] if _kept else None)
    return _Machine(lark, QuickParser(lark), builder)


def _lark(transformer: ByRule, store: Cache | None) -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    options: dict[str, Any] = {"parser": "lalr", "lexer": "contextual", "transformer": transformer}
    if store is None:
        return Lark(grammar, **options)
    key = TABLES + digest(f"{grammar}\0{sys.version}\0{lark_version}\0{options['parser']}".encode())
    if data := store.load_bytes(key):
        with suppress(Exception):  # whatever may be wrong with it, the grammar is at hand
            lark: Lark = Lark.__new__(Lark)
            return lark._load(io.BytesIO(data), transformer=transformer)
    lark = Lark(grammar, **options)
    tables = io.BytesIO()
    lark.save(tables, exclude_options=["transformer"])
    store.save_bytes(key, tables.getvalue())
    return lark


def read_source(path: Path, diagnostics: Diagnostics, name: str = "") -> SourceFile | None:
    """Reads a file; None, and a report, if it cannot be read or is not text."""
    try:
        data = path.read_bytes()
    except OSError as error:
        empty = SourceFile(path, "", name)
        message = f"cannot read the file: {error.strerror or error}"
        diagnostics.report(rules.UNREADABLE_FILE, Span(empty, 0, 0), message)
        return None
    source = SourceFile(path, data.decode("utf-8-sig", errors="replace"), name, digest(data))
    if (nul := source.text.find("\0")) >= 0:
        diagnostics.report(rules.BINARY_FILE, Span(source, nul, nul + 1), "found a zero byte")
        return None
    if (bad := source.text.find("\ufffd")) >= 0:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"the byte 0x{data[error.start]:02x} is not UTF-8"
            diagnostics.report(rules.NOT_UTF8, Span(source, bad, bad + 1), message)
    return source


def read(path: Path, name: str, diagnostics: Diagnostics) -> Document | None:
    """The tree of the file at a path; None, and a report, if there is none."""
    source = read_source(path, diagnostics, name)
    return parse(source, diagnostics) if source else None


def parse(source: SourceFile, diagnostics: Diagnostics) -> Document | None:
    """The tree of a file; None if it has syntax errors, all of which are reported."""
    comments = scan(source.text)
    if comments.too_deep is not None:
        at = Span(source, comments.too_deep, comments.too_deep + 1)
        diagnostics.report(rules.NESTED_TOO_DEEP, at, "brackets or signs nest too deep here")
        return None
    text = source.text
    if comments.unterminated is not None:
        at = Span(source, comments.unterminated, comments.unterminated + 2)
        diagnostics.report(rules.UNTERMINATED_COMMENT, at, "this comment never ends")
        text = text[: comments.unterminated]
    with _LOCK:
        run = _Run(source, text, comments, diagnostics)
        return run.quick_document() or run.document()


class _Run:
    """One file on its way through the parser."""

    def __init__(self, source: SourceFile, text: str, comments: Comments, diagnostics: Diagnostics) -> None:
        self.source, self.text, self.comments, self.diagnostics = source, text, comments, diagnostics
        self.errors = self.attempts = 0
        # An error here is a consequence of one already reported.
        self.quiet_at = -1 if comments.unterminated is None else len(text.rstrip())
        self.stuck_at = -1  # where parsing was last resumed after giving something up

    def quick_document(self) -> Document | None:
        """The tree, if the text has no error at all."""
        _, quick, builder = machine()
        reports = Diagnostics(self.diagnostics.disabled)
        builder.begin(self.source, self.comments, reports)
        document = quick.parse(self.text)
        if document is None or not document.declarations or self.comments.unterminated is not None:
            return None
        self.diagnostics.items += reports.items
        return document

    def document(self) -> Document | None:
        lark, _, builder = machine()
        builder.begin(self.source, self.comments, self.diagnostics)
        parser = lark.parse_interactive(self.text)
        lexer = parser.lexer_thread.state
        while lexer is not None:
            position: int | None
            try:
                result: Document = parser.resume_parse()  # type: ignore[no-untyped-call]
            except UnexpectedCharacters:
                position = self._skip_characters(lexer.line_ctr.char_pos, parser)
            except UnexpectedToken as error:
                position = self._recover(error.token, parser)
            else:
                return self._finish(result)
            self.attempts += 1
            if position is None or self.errors >= MAX_ERRORS or self.attempts >= MAX_ATTEMPTS:
                return None
            lexer.line_ctr.char_pos = position
        return None

    def _finish(self, document: Document) -> Document | None:
        if self.errors or self.comments.unterminated is not None:
            return None
        if not document.declarations:
            end = len(self.text.rstrip())
            hint = syntax.line_ending_hint(self.text)
            self.diagnostics.report(
                rules.EMPTY_FILE, Span(self.source, end, end), "the file declares nothing", hint
            )
            return None
        return document

    def _report(self, start: int, end: int, message: str, hint: str = "") -> None:
        if start == self.quiet_at:
            return
        self.errors += 1
        hint = hint or syntax.line_ending_hint(self.text)
        if not hint and self.comments.hides_another(start):
            hint = "Comments do not nest: the first */ ends them all."
        self.diagnostics.report(rules.SYNTAX, Span(self.source, start, end), message, hint)

    def _skip_characters(self, start: int, parser: InteractiveParser) -> int:
        """Reports text that is no token of the language; returns where to go on."""
        char = self.text[start]
        if char in "\"'":
            end = self.text.find("\n", start)
            end = len(self.text) if end < 0 else end
            end = start + len(self.text[start:end].rstrip().removesuffix(";"))
            self._report(start, start + 1, f"this {char} has no partner on the same line")
            if "STRING" in parser.accepts():  # type: ignore[no-untyped-call]
                parser.feed_token(Token("STRING", '""', start_pos=start, end_pos=end))
        else:
            match = _FOREIGN.match(self.text, start)
            end = match.end() if match else start + 1
            found = self.text[start:end]
            shown = found if found.isprintable() else repr(found)[1:-1]
            hint = "An annotation's name follows the @ directly." if char == "@" else ""
            self._report(start, end, f"'{shown}' means nothing here", hint)
        self.quiet_at = _end_of_space(self.text, end)
        return end

    def _recover(self, token: Token, parser: InteractiveParser) -> int | None:
        """Reports a syntax error and brings the parser to where it can go on: returns from where."""
        at_end = token.type == "$END"
        start = len(self.text.rstrip()) if at_end else token.start_pos or 0
        end = start if at_end else token.end_pos or 0
        accepts: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
        previous, previous_end = self.comments.token_before(start)
        self._report(start, end, *syntax.describe(token, accepts, previous))
        if at_end:
            return None
        stuck, self.stuck_at = start == self.stuck_at, start
        if not stuck:
            if token == ";" and previous in (";", "}", "{"):
                return end
            new_line = "\n" in self.text[previous_end:start]
            if separator := _missing_separator(token, accepts, _around(parser)[0], new_line):
                parser.feed_token(Token(separator, ""))
                self.quiet_at = start
                return end if token == ";" else start
        inside, around = _around(parser, only_members=stuck)
        parser.parser_state.state_stack[:] = around.parser_state.state_stack
        parser.parser_state.value_stack[:] = around.parser_state.value_stack
        separated = inside in (_PARAMETERS, _ENUMERATORS)
        position = _resume_point(self.text, end if stuck and not separated else start, inside)
        self.quiet_at = self.stuck_at = _end_of_space(self.text, position)
        return position


def _missing_separator(token: Token, accepts: set[str], inside: str, new_line: bool) -> str:
    """The ';' or ',' that was left out before a token, if that is what is wrong."""
    if "SEMICOLON" in accepts and (new_line or token.type in _BEGIN_ITEM):
        return "SEMICOLON"
    if (
        inside == _ENUMERATORS
        and "COMMA" in accepts
        and (token == ";" or (token.type == "NAME" and new_line))
    ):
        return "COMMA"
    return ""


def _end_of_space(text: str, start: int) -> int:
    """Where the next token starts."""
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _around(parser: InteractiveParser, *, only_members: bool = False) -> tuple[str, InteractiveParser]:
    """What kind of list the parser is in, and a parser that has given up the item it was at.

    That is, one from which was dropped what it had begun, up to where `_ERROR` may stand, and
    which has read that.
    """
    states = parser.parser_state.parse_conf.states
    for depth in range(len(parser.parser_state.state_stack), 0, -1):
        if "_ERROR" not in states[parser.parser_state.state_stack[depth - 1]]:
            continue
        attempt: InteractiveParser = parser.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
        dropped = attempt.parser_state.value_stack[depth - 1 :]
        del attempt.parser_state.state_stack[depth:]
        del attempt.parser_state.value_stack[depth - 1 :]
        try:
            attempt.feed_token(Token("_ERROR", ""))
        except UnexpectedToken:
            continue
        inside = _level(attempt.accepts())  # type: ignore[no-untyped-call]
        closed = any(isinstance(v, Token) and v.type == _CLOSING.get(inside) for v in dropped)
        if not closed and (not only_members or inside in (_MEMBERS, _FILE)):
            return inside, attempt
    return _FILE, parser  # not reached: the start state is one of them


def _level(accepts: set[str]) -> str:
    if "RPAR" in accepts:
        return _PARAMETERS
    if "COMMA" in accepts:
        return _ENUMERATORS
    return _MEMBERS if "RBRACE" in accepts else _FILE


def _resume_point(text: str, start: int, inside: str) -> int:
    """Skips what cannot be understood, to where the next item of a list or block starts.

    Only braces hold statements, so a ';' ends whatever other brackets are open.
    """
    separated = inside in (_PARAMETERS, _ENUMERATORS)
    braces = brackets = 0
    for match in _SKIPPED.finditer(text, start):
        sign = match[0]
        if sign == "{":
            braces += 1
        elif sign == "}" and braces:
            braces -= 1
            if braces == 0 and not separated:
                return match.end()
        elif braces:
            continue
        elif sign == "}":
            return match.end() if inside == _FILE else match.start()
        elif sign == ";" or _is_cut_off(sign):
            return match.start() if separated else match.end()
        elif sign in ("(", "["):
            brackets += 1
        elif sign in (")", "]") and brackets:
            brackets -= 1
        elif (sign == "," and separated and not brackets) or (sign == ")" and inside == _PARAMETERS):
            return match.start()
    return len(text)


def _is_cut_off(sign: str) -> bool:
    """Whether this is text in quotes that its line ends before the second quote."""
    return sign[0] in "\"'" and (len(sign) == 1 or sign[-1] != sign[0])
