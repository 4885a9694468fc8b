"""Habits rather than rules, as warnings; the names are those of Google's compiler."""

from __future__ import annotations

from .. import rules, walk
from ..ast import Constant, Declaration, Enum, Enumerator, Interface, Method
from .context import Check, Context


def check_document(context: Context) -> None:
    seen = set()
    for each in context.document.imports:
        if each.name in seen:
            context.report(rules.UNIQUE_IMPORT, each.span, f"{each.name} is imported already")
        seen.add(each.name)


def _check_interface_name(declaration: Declaration, context: Context) -> None:
    name = declaration.name
    if isinstance(declaration, Interface) and not name.startswith("I"):
        message = f"the interface {name} does not start with I"
        context.report(rules.INTERFACE_NAME, declaration.span, message)


def _check_const_names(declaration: Declaration, context: Context) -> None:
    enumerators = declaration.enumerators if isinstance(declaration, Enum) else []
    named: list[Constant | Enumerator] = [*declaration.constants, *enumerators]
    for each in named:
        if each.name != each.name.upper():
            message = f"{each.name} is not in capitals"
            context.within(each).report(rules.CONST_NAME, each.span, message)


def _check_methods(declaration: Declaration, context: Context) -> None:
    methods = walk.methods(declaration)
    whole = isinstance(declaration, Interface) and declaration.oneway
    if len({method.oneway for method in methods}) > 1:
        message = f"{declaration.name} has one-way and two-way methods"
        context.report(rules.MIXED_ONEWAY, declaration.span, message)
    for method in methods:
        inner = context.within(method)
        if whole and method.says_oneway:
            inner.report(rules.REDUNDANT_ONEWAY, method.span, f"{method.name} says oneway again")
        _check_parameters(method, inner)


def _check_parameters(method: Method, context: Context) -> None:
    for parameter in method.parameters:
        if parameter.direction == "inout":
            message = f"{parameter.name} is inout, which callers easily get wrong"
            context.report(rules.INOUT_PARAMETER, parameter.span, message)
        elif parameter.direction == "out" and parameter.type.dimensions:
            context.report(rules.OUT_ARRAY, parameter.span, f"{parameter.name} is an array that is filled")


def _check_file_descriptors(declaration: Declaration, context: Context) -> None:
    for type_ in walk.types(declaration):
        if type_.name == "FileDescriptor":
            context.report(rules.FILE_DESCRIPTOR, type_.span, "a bare FileDescriptor")


CHECKS: list[Check] = [_check_interface_name, _check_const_names, _check_methods, _check_file_descriptors]
