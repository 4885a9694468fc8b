"""Random constant expressions and default values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

_LETTERS = "abz AZ09 .,:;!?#$%&()*+-/<=>@[]^_{|}~`'"


def maybe(rng: Random, chance: float) -> bool:
    return rng.random() < chance


@dataclass
class Values:
    """Makes values.

    `integers` are names of constants that are small and not negative, to be used in expressions.
    """

    rng: Random
    integers: list[str] = field(default_factory=list)

    # --- expressions ---

    def small(self) -> str:
        """A number from 0 to 9, in one of many spellings."""
        number = self.rng.randrange(10)
        spellings = [str(number), hex(number), f"0{number}", f"({number})", f"+{number}", f"0X{number:02x}"]
        return self.rng.choice([str(number), str(number), *spellings])

    def integer(self, depth: int = 2) -> str:
        """An expression that stays well inside of 32 bits."""
        if depth == 0 or maybe(self.rng, 0.3):
            return self.rng.choice(self.integers) if self.integers and maybe(self.rng, 0.2) else self.small()
        makers: list[Callable[[int], str]] = [
            *(self._sum, self._sum, self._product, self._quotient, self._shift, self._bits),
            *(self._comparison, self._unary, self._parenthesis, self._logic),
        ]
        make = self.rng.choice(makers)
        return make(depth - 1)

    def _sum(self, depth: int) -> str:
        return f"{self.integer(depth)} {self.rng.choice('+-')} {self.integer(depth)}"

    def _product(self, depth: int) -> str:
        return f"{self._tight(depth)} * {self._tight(depth)}"

    def _quotient(self, depth: int) -> str:
        return f"{self._tight(depth)} {self.rng.choice('/%')} {self.rng.choice('123456789')}"

    def _shift(self, depth: int) -> str:
        sign = self.rng.choice(["<<", ">>"])
        return f"{self.rng.randrange(9)} {sign} {self.rng.choice(['0', '1', '2', '(1 + 1)'])}"

    def _bits(self, depth: int) -> str:
        return f"{self._tight(depth)} {self.rng.choice('&|^')} {self._tight(depth)}"

    def _comparison(self, depth: int) -> str:
        sign = self.rng.choice(["==", "!=", "<", ">", "<=", ">="])
        return f"{self._tight(depth)} {sign} {self._tight(depth)}"

    def _logic(self, depth: int) -> str:
        return f"{self._tight(depth)} {self.rng.choice(['&&', '||'])} {self._tight(depth)}"

    def _unary(self, depth: int) -> str:
        return f"{self.rng.choice('-+!~')}{self._tight(depth)}"

    def _parenthesis(self, depth: int) -> str:
        return f"({self.integer(depth)})"

    def _tight(self, depth: int) -> str:
        return f"({self.integer(depth)})" if maybe(self.rng, 0.7) else self.small()

    def long(self) -> str:
        return self.rng.choice(
            [
                self.integer(),
                f"{self.rng.randrange(1 << 40)}L",
                f"1L << {self.rng.randrange(62)}",
                str(self.rng.randrange(1 << 63)),
                f"-{self.rng.randrange(1 << 62)}",
                hex(self.rng.randrange(1 << 64)),
                "0xFFFFFFFF",
                f"{self.rng.randrange(9)}u64",
            ]
        )

    def byte(self) -> str:
        return self.rng.choice([str(self.rng.randrange(-128, 128)), "0x7f", "255u8", "1 + 1", "true", "0x0F"])

    def int_(self) -> str:
        choices = [self.integer(), self.integer(), str(self.rng.randrange(-(1 << 31), 1 << 31))]
        return self.rng.choice([*choices, hex(self.rng.randrange(1 << 32)), "7u32"])

    # --- other values ---

    def text(self) -> str:
        parts = [
            '"' + "".join(self.rng.choice(_LETTERS) for _ in range(self.rng.randrange(6))) + '"'
            for _ in range(self.rng.choice([1, 1, 1, 2, 3]))
        ]
        return " + ".join(parts)

    def real(self, suffix: str) -> str:
        number = self.rng.choice(["1.5", ".5", "0.0", "1e3", "2.5e-1", "100.25", "3.0E+2", "0.125"])
        return f"{self.rng.choice(['', '', '-', '+'])}{number}{suffix}"

    def char(self) -> str:
        return f"'{self.rng.choice('azAZ09 .,{}()/*')}'"

    def of(self, scalar: str) -> str:
        """A value of a built-in type."""
        made: dict[str, Callable[[], str]] = {
            "boolean": lambda: self.rng.choice(["true", "false", "true", "1 == 2", "!true"]),
            "byte": self.byte,
            "char": self.char,
            "int": self.int_,
            "long": self.long,
            "float": lambda: self.real("f"),
            "double": lambda: self.real(self.rng.choice(["", "", "f"])),
            "String": self.text,
        }
        return made[scalar]()
