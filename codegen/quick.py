"""The parser's fast path, for text that has no errors.

It runs lark's own tables with lark's own terminals, but keeps nothing that only recovery from errors
needs: no lines, no copies, no generators. At the first thing that is not as it should be it gives up,
and the text is parsed again by lark itself, who can say what was wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift

from .ast import Document

_IGNORED = r"(?>(?:[ \t\r\n]+|//[^\n]*|/\*[\s\S]*?\*/)*)"
_END = re.compile(_IGNORED + r"\Z")


class _Reduce(NamedTuple):
    size: int
    function: Callable[[list[Any]], Any] | None  # None gives back the only part
    origin: str


_Action: TypeAlias = "int | _Reduce"  # a number is the state to go to with what was read


class _State(NamedTuple):
    match: Callable[[str, int], re.Match[str] | None]  # finds the next token
    rename: dict[str, dict[str, str]]  # by terminal and text, the keyword that this is
    actions: dict[str, _Action]


class _States(dict[int, _State]):
    """All states by number, each made when it is first needed: most files need few."""

    def __init__(self, table: dict[int, Any], lexers: dict[int, Any], reductions: dict[Any, _Reduce]) -> None:
        super().__init__()
        self._table, self._lexers, self._reductions = table, lexers, reductions
        self._made: dict[int, Any] = {}  # by the identity of a lexer, which several states have

    def __missing__(self, number: int) -> _State:
        lexer = self._lexers[number]
        if id(lexer) not in self._made:
            self._made[id(lexer)] = _lexer(lexer)
        actions = {
            str(name): argument if kind is Shift else self._reductions[argument]
            for name, (kind, argument) in self._table[number].items()
        }
        match, rename = self._made[id(lexer)]
        state = self[number] = _State(match, rename, actions)
        return state


class QuickParser:
    """Parses with the tables of a lark parser that has a transformer."""

    def __init__(self, lark: Lark) -> None:
        parser = lark.parser.parser.parser
        table = parser.parse_table
        self._first, self._last = table.start_states["start"], table.end_states["start"]
        reductions = {rule: _reduction(rule, function) for rule, function in parser.callbacks.items()}
        self._states = _States(table.states, lark.parser.lexer.lexers, reductions)
        symbols = [symbol for rule in parser.callbacks for symbol in rule.expansion if symbol.is_term]
        self._kept = {symbol.name for symbol in symbols if not symbol.filter_out}

    def parse(self, text: str) -> Document | None:
        """The tree of a text; None if anything is wrong with it."""
        states, kept = self._states, self._kept
        stack: list[Any] = [self._first]
        values: list[Any] = []
        position = 0
        while True:
            state = states[stack[-1]]
            match = state.match(text, position)
            if match is not None:
                name: Any = match.lastgroup
                word = match[name]
                position = match.end()
                if name in state.rename:
                    name = state.rename[name].get(word, name)
            elif _END.match(text, position):
                name, word = "$END", ""
            else:
                return None
            action: Any = state.actions.get(name)
            while action.__class__ is _Reduce:
                size, function, origin = action
                if function is None:
                    stack.pop()
                elif size:
                    values[-size:] = (function(values[-size:]),)
                    del stack[-size:]
                else:
                    values.append(function([]))
                following: Any = states[stack[-1]].actions[origin]
                stack.append(following)
                if following == self._last:
                    found: Document = values[-1]
                    return found
                action = states[following].actions.get(name)
            if action is None:
                return None
            stack.append(action)
            values.append(_token(name, word, position) if name in kept else None)


def _token(name: str, word: str, end: int) -> Token:
    """What `Token(...)` makes, without what only lark's own messages use."""
    token: Token = str.__new__(Token, word)
    token.type = name
    token.value = word
    token.start_pos = end - len(word)
    token.end_pos = end
    return token


def _reduction(rule: Any, function: Callable[[list[Any]], Any]) -> _Reduce:
    only_passes_on = rule.options.expand1 and not rule.alias and len(rule.expansion) == 1
    return _Reduce(len(rule.expansion), None if only_passes_on else function, str(rule.origin.name))


def _lexer(lexer: Any) -> tuple[Callable[[str, int], re.Match[str] | None], dict[str, dict[str, str]]]:
    """From one of lark's lexers, which knows the terminals that may come in some states."""
    terminals = [each for each in lexer.scanner.terminals if each.name not in lexer.ignore_types]
    choices = "|".join(f"(?P<{each.name}>{each.pattern.to_regexp()})" for each in terminals)
    match = re.compile(f"{_IGNORED}(?:{choices})").match if choices else _nothing
    return match, {
        name: {each.pattern.value: each.name for each in callback.scanner.terminals}
        for name, callback in lexer.callback.items()
    }


def _nothing(text: str, position: int) -> None:
    return None
