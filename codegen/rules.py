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

# --- what a file declares, and where ---

FILE_NAME = Rule("file-name", _E, "A type q.A stands in a file q/A.aidl: folder, name and case.")
ONE_TYPE_PER_FILE = Rule("one-type-per-file", _E, "Put it in a file of its own, or inside the other type.")
QUALIFIED_NAME = Rule("qualified-name", _E, "Name the type alone, and its package with `package`.")
RESERVED_NAME = Rule("reserved-name", _E, "Choose another name.")
DUPLICATE_NAME = Rule("duplicate-name", _E, "Rename one of the two.")
NESTED_NAME = Rule("nested-name", _E, "Rename the inner type.")
NESTED_UNSTRUCTURED = Rule("nested-unstructured", _E, "Declare it in a file of its own.")

# --- types ---

VOID = Rule("void", _E, "Only a method can be void.")
NOT_NULLABLE = Rule("not-nullable", _E, "")
HEAP = Rule("heap", _E, "heap=true is for parcelables and unions; write @nullable alone.")
UTF8 = Rule("utf8", _E, "@utf8InCpp is for String, String[] and List<String>.")
ARRAY_FORM = Rule("array-form", _E, "An array has one [], or any number of [N].")
ARRAY_ELEMENT = Rule("array-element", _E, "")
GENERIC_ARITY = Rule("generic-arity", _E, "")
LIST_ELEMENT = Rule(
    "list-element", _E, "A list holds String, IBinder, ParcelFileDescriptor or declared types; use an array."
)
MAP_ELEMENT = Rule("map-element", _E, "A map goes from String to anything but primitives and enums.")
UNTYPED_COLLECTION = Rule("untyped-collection", _E, "Say what is in it: List<String>, Map<String, T>.")
HOLDER_POSITION = Rule("holder-position", _E, "A ParcelableHolder is a field of a parcelable, alone.")
GENERIC_TYPE = Rule("generic-type", _E, "")

# --- interfaces ---

DIRECTION = Rule("direction", _E, "")
ONEWAY_RESULT = Rule("oneway-result", _E, "A one-way call has no reply: use a callback, or drop oneway.")
METHOD_ID = Rule("method-id", _E, "An id is a decimal number from 0 to 16777114, used once.")
MIXED_IDS = Rule("mixed-ids", _E, "Give every method of an interface an id, or none.")
OVERLOADED_METHOD = Rule("overloaded-method", _E, "AIDL has no overloading; rename one.")

# --- parcelables, unions, enums ---

RECURSIVE_TYPE = Rule("recursive-type", _E, "Make one of the fields @nullable(heap=true), or a list.")
FIXED_SIZE = Rule(
    "fixed-size", _E, "Only primitives, enums, other @FixedSize types, and [N] of these have a fixed size."
)
EMPTY_UNION = Rule("empty-union", _E, "A union has a field for each thing it can be.")
UNION_DEFAULT = Rule("union-default", _E, "A union starts as its first field: give that one a value.")
VINTF = Rule("vintf", _E, "")
NOT_STRUCTURED = Rule("not-structured", _E, "Define its fields in AIDL.")

# --- annotations ---

UNKNOWN_ANNOTATION = Rule("unknown-annotation", _E, "")
MISPLACED_ANNOTATION = Rule("misplaced-annotation", _E, "")
REPEATED_ANNOTATION = Rule("repeated-annotation", _E, "Leave one of them out.")
ANNOTATION_ARGUMENT = Rule("annotation-argument", _E, "")
PERMISSION = Rule("permission", _E, "Say it for the whole interface, or for each method.")
CONFLICTING_PERMISSIONS = Rule("conflicting-permissions", _W, "Keep the one that is meant.")
UNKNOWN_WARNING = Rule("unknown-warning", _W, "")

# --- style: only if asked for, under the names that Google's compiler uses ---

INTERFACE_NAME = Rule("interface-name", _W, "Interfaces start with I and a capital: IThing.")
CONST_NAME = Rule("const-name", _W, "Constants and enumerators are in capitals: MAX_SIZE.")
INOUT_PARAMETER = Rule("inout-parameter", _W, "Take it in and return the result.")
OUT_ARRAY = Rule("out-array", _W, "Return the array.")
MIXED_ONEWAY = Rule("mixed-oneway", _W, "Make all methods of the interface one-way, or none.")
REDUNDANT_ONEWAY = Rule("redundant-oneway", _W, "The interface says it for all its methods.")
FILE_DESCRIPTOR = Rule("file-descriptor", _W, "Use ParcelFileDescriptor, which can also be null.")
UNIQUE_IMPORT = Rule("unique-import", _W, "Leave it out.")

RULES: dict[str, Rule] = {rule.slug: rule for rule in list(globals().values()) if isinstance(rule, Rule)}
"""All rows by slug."""
