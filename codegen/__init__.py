"""The AIDL compiler: text in, typed Python out.

In the order in which a file passes through: `source` (text and positions), `comments`,
`grammar.lark`, `builder` and `parser` (text to tree; `syntax` words its errors), `ast` (the tree),
`files` and `resolve` (files to a `program`, names to declarations), `arithmetic` and `constants`
(expressions to values), `checks` (the rules of the language); `frontend` runs these. Then `layout`
(what goes on the wire), `naming` and `model` (what the templates see), `templates/` and `render`
(Python text), `cli` and `commands` (the program). Every stage reports through `diagnostics`, in rows
of `rules`.

Around it, for large trees: `generate` answers a `request` from the `cache` of an earlier `outcome` if all
`inputs` are as they were, else by `runs` of a `job`; `parts` and `parallel` share its work among processes,
`quick` is the parser's fast path, `progress` the bar.
"""
