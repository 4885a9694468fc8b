"""Everything the compiler can say about its input, one row each.

The slug is what a user writes to turn a warning off or to look a message up, so it never changes.
"""

from __future__ import annotations

from .diagnostics import Rule, Severity

_E, _W = Severity.ERROR, Severity.WARNING

# --- reading and parsing a file ---

UNREADABLE_FILE = Rule("unreadable-file", _E, "Check that the path is a file and may be read.")
BINARY_FILE = Rule("binary-file", _E, "AIDL is text; this looks like something else.")
NOT_UTF8 = Rule("not-utf8", _W, "Save the file as UTF-8.")
UNTERMINATED_COMMENT = Rule("unterminated-comment", _E, "End the comment with */.")
NESTED_TOO_DEEP = Rule("nested-too-deep", _E, "Split the expression or the declarations.")
SYNTAX = Rule("syntax", _E, "")
PACKAGE_ORDER = Rule("package-order", _E, "The order is: the package, imports, declarations.")
UNDEFINED_INTERFACE = Rule(
    "undefined-interface", _E, "Write its methods between { and }; there are no forward declarations."
)
DUPLICATE_ARGUMENT = Rule("duplicate-argument", _E, "Give each argument of an annotation once.")
EMPTY_FILE = Rule("empty-file", _E, "A file declares the type it is named after.")
MISPLACED_ANNOTATION = Rule("misplaced-annotation", _E, "")

# --- names ---

DUPLICATE_TYPE = Rule("duplicate-type", _E, "Declare a type once; leave out one of the two files.")
MISSING_IMPORT = Rule("missing-import", _E, "Give the folder that its package starts in with -I.")
AMBIGUOUS_IMPORT = Rule("ambiguous-import", _E, "Give only one of these roots with -I.")
SHADOWED_IMPORT = Rule("shadowed-import", _W, "Write one of the two with its package where it is used.")
UNKNOWN_TYPE = Rule("unknown-type", _E, "Import it, or write it with its package.")
UNKNOWN_CONSTANT = Rule("unknown-constant", _E, "")

# --- values ---

BAD_NUMBER = Rule("bad-number", _E, "")
BAD_TEXT = Rule("bad-text", _E, "AIDL has no escapes: only printable ASCII, and no backslash.")
OVERFLOW = Rule("overflow", _E, "Arithmetic is done in 32 bits unless an operand is a long, as 1L is.")
DIVISION_BY_ZERO = Rule("division-by-zero", _E, "")
BAD_OPERAND = Rule("bad-operand", _E, "Operators work on integers and booleans, + on strings too.")
CONSTANT_CYCLE = Rule("constant-cycle", _E, "Give one of them a value of its own.")
WRONG_VALUE = Rule("wrong-value", _E, "")
OUT_OF_RANGE = Rule("out-of-range", _E, "")
CONSTANT_TYPE = Rule("constant-type", _E, "A constant is a byte, int, long, float, double or String.")
ARRAY_SIZE = Rule("array-size", _E, "A size is an int of 0 or more.")
BACKING_TYPE = Rule("backing-type", _E, 'Write @Backing(type="int"), or "byte" or "long".')
REFERENCE_IN_ANNOTATION = Rule("reference-in-annotation", _E, "Write the value itself.")

RULES: dict[str, Rule] = {rule.slug: rule for rule in list(globals().values()) if isinstance(rule, Rule)}
"""All rows by slug."""
