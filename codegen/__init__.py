"""The AIDL compiler: text in, typed Python out.

In the order in which a file passes through: `source` (text and positions), `comments`,
`grammar.lark`, `builder` and `parser` (text to tree; `syntax` words its errors), `ast` (the tree),
`files` and `resolve` (files to a `program`, names to declarations), `arithmetic` and `constants`
(expressions to values), `checks` (the rules of the language); `frontend` runs these. Then `layout`
(what goes on the wire), `naming` and `model` (what the templates see), `templates/` and `render`
(Python text), `cli` (the command). Every stage reports through `diagnostics`, in rows of `rules`.
"""
