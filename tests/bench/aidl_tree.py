"""A large AIDL tree, the same each time, with most of what AIDL knows.

python -m tests.bench.aidl_tree DIR [FILES]
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

FILES_PER_PACKAGE = 50


@dataclass
class _Package:
    """What a package has declared so far: later files use earlier ones, so that no circle arises."""

    name: str
    enums: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    callbacks: list[str] = field(default_factory=list)


class _Writer:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._common = _Package("com.example.common")

    def _used(self, package: _Package, kind: str) -> tuple[str, str]:
        """The qualified and the simple name of an earlier type, mostly of the same package."""
        owner = self._common if self._random.random() < 0.2 else package
        names = getattr(owner, kind) or getattr(self._common, kind)
        name = self._random.choice(names[-6:])
        return f"{self._common.name if name in getattr(self._common, kind) else package.name}.{name}", name

    def enum(self, package: _Package, number: int) -> str:
        name = f"Mode{number}"
        package.enums.append(name)
        backing = self._random.choice(["byte", "int", "long"])
        rows = [f"  /** Number {n}. */\n  VALUE_{n} = 1 << {n}," for n in range(self._random.randint(2, 6))]
        body = "\n".join(rows)
        return f'/** How thing {number} works. */\n@Backing(type="{backing}")\nenum {name} {{\n{body}\n}}\n'

    def parcelable(self, package: _Package, number: int) -> str:
        name = f"Data{number}"
        imports, fields = self._fields(package, self._random.randint(3, 9))
        package.values.append(name)
        return (
            f"{imports}/**\n * What is known of thing {number}.\n *\n * It is sent as it is.\n */\n"
            f"parcelable {name} {{\n  /** How many at most. */\n  const int LIMIT = {number} * 4 + 1;\n"
            f'  const String KEY = "thing." + "{number}";\n{fields}'
            f"  enum Kind {{ SMALL, LARGE = 4 }}\n  Kind kind = Kind.LARGE;\n}}\n"
        )

    def _fields(self, package: _Package, count: int) -> tuple[str, str]:
        enum, enum_name = self._used(package, "enums")
        data, data_name = self._used(package, "values") if self._common.values else ("", "String")
        choices = [
            "int number{n} = LIMIT;",
            "long[] times{n} = {{1, 2, 3}};",
            'String label{n} = "none";',
            "@nullable String note{n};",
            "boolean on{n} = true;",
            "byte[] raw{n};",
            "double ratio{n} = 0.5;",
            "float weight{n} = 1.5f;",
            "char letter{n} = 'x';",
            "@utf8InCpp List<String> names{n};",
            "int[4] corners{n};",
            "@nullable IBinder token{n};",
            "@nullable ParcelFileDescriptor file{n};",
            f"{enum_name} mode{{n}} = {enum_name}.VALUE_1;",
            f"{data_name} inner{{n}};",
            f"@nullable {data_name}[] more{{n}};",
        ]
        rows = []
        for n in range(count):
            comment = (
                f"  /** Part {n}: see {{@link {data_name}}}. */\n" if self._random.random() < 0.5 else ""
            )
            rows.append(comment + "  " + self._random.choice(choices).format(n=n) + "\n")
        return _imports([enum, data]), "".join(rows)

    def union(self, package: _Package, number: int) -> str:
        name = f"Choice{number}"
        data, data_name = self._used(package, "values")
        package.values.append(name)
        return (
            f"{_imports([data])}/** One of several. */\nunion {name} {{\n  int number = {number};\n"
            f"  String text;\n  {data_name} data;\n  long[] list;\n}}\n"
        )

    def callback(self, package: _Package, number: int) -> str:
        name = f"IListener{number}"
        data, data_name = self._used(package, "values")
        package.callbacks.append(name)
        return (
            f"{_imports([data])}/** Hears of things. */\noneway interface {name} {{\n"
            f"  /** There is a new one. */\n  void onAdded(in {data_name} data, int id);\n"
            f"  void onFailed(@nullable String reason);\n}}\n"
        )

    def service(self, package: _Package, number: int) -> str:
        enum, enum_name = self._used(package, "enums")
        data, data_name = self._used(package, "values")
        callback, callback_name = self._used(package, "callbacks")
        return (
            f"{_imports([enum, data, callback])}/** Serves things. */\ninterface IService{number} {{\n"
            f"  const int VERSION_CODE = {number};\n"
            f"  /**\n   * Gives one back.\n   * @param id which\n   * @return the thing\n   */\n"
            f"  {data_name} get(int id, {enum_name} mode);\n"
            f"  void put(in {data_name}[] data, in long[] times, {callback_name} listener);\n"
            f"  int[] list(out List<String> names, inout {data_name} state);\n"
            f"  @nullable {data_name} find(@nullable String name, in ParcelFileDescriptor file);\n"
            f"  oneway void ping();\n  boolean[] flags({enum_name} mode, double ratio, byte level);\n}}\n"
        )

    def files(self, count: int, per_package: int) -> dict[str, str]:
        """The text of each file, by its path."""
        found: dict[str, str] = {}
        kinds = [self.enum, self.parcelable, self.union, self.callback, self.service]
        for number in range(count):
            if number % per_package == 0:
                place = number // per_package
                package = _Package(f"com.example.part{place}") if place else self._common
            kind = kinds[number % len(kinds)]
            body = kind(package, number)
            name = body.partition(" {\n")[0].rpartition(" ")[2] if kind != self.enum else package.enums[-1]
            path = f"{package.name.replace('.', '/')}/{name}.aidl"
            found[path] = f"package {package.name};\n\n{body}"
        return found


def _imports(names: list[str]) -> str:
    return "".join(f"import {name};\n" for name in sorted(set(filter(None, names)))) + "\n"


def write_tree(folder: Path, count: int, per_package: int = FILES_PER_PACKAGE) -> list[Path]:
    """Writes so many files below a folder, and gives their paths."""
    paths = []
    for name, text in _Writer(seed=1).files(count, per_package).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


if __name__ == "__main__":
    write_tree(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1500)
