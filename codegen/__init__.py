"""The AIDL compiler: text in, typed Python out.

In the order in which a file passes through: `source` (text and positions), `grammar.lark` and
`parser` (text to tree), `ast` (the tree), `resolve` (names to declarations, files to a program),
`constants` (expressions to values), `checks` (the rules of the language), `layout` (what goes on
the wire), `naming` and `model` (what the templates see), `templates/` and `render` (Python text),
`cli` (the command). `diagnostics` is what every stage reports through.
"""
