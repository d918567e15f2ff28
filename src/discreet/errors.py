"""Every error of Discreet: what is wrong, what to do, where to read more.

    DiscreetError
    ├── NumberError      N   a parameter that is no exact number, or outside its range
    ├── EntropyError     N   the operating system gave no randomness
    ├── UnitError        U   who is protected, and how far an answer moves
    ├── LossError        L   losses that cannot be read, added, compared or converted
    └── MechanismError   M   noise or a mechanism that cannot be built or used so

The text of an error may depend on parameters, schema and declared types; a value from the data
never enters it.  In a cure, what stands between backticks is code that can be pasted; each such
line is run by a test.

Python hangs more on an exception than its text: causes, contexts, notes, frames.  Others write
there (an engine quotes the cell that it could not cast), so a traceback is for the owner of the
data alone.  What may be shown is `str(error)`, and only its three parts travel to another process.
"""

from __future__ import annotations

from typing import Final, final

PAGE: Final = "docs/errors.md"


class DiscreetError(Exception):
    """The base of the tree: catch this to catch them all.  Only its children are raised."""

    def __init__(self, problem: str, *, cure: str, code: str) -> None:
        if type(self) is DiscreetError:
            raise TypeError("DiscreetError is abstract: raise one of its children")
        super().__init__(problem)
        self.problem = problem
        self.cure = cure
        self.code = code

    @property
    def page(self) -> str:
        return f"{PAGE}#{self.code}"

    def __str__(self) -> str:
        return f"{self.problem}\n  cure: {self.cure}\n  more: {self.page}"

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling between processes; and the
        # default takes the notes along, in which a framework may have quoted the data.
        return _rebuild, (type(self), self.problem, self.cure, self.code)


def _rebuild(kind: type[DiscreetError], problem: str, cure: str, code: str) -> DiscreetError:
    return kind(problem, cure=cure, code=code)


@final
class NumberError(DiscreetError):
    """A parameter that is no exact number, or lies outside its range."""


@final
class EntropyError(DiscreetError):
    """The operating system gave no randomness, or a replay ran dry."""


@final
class UnitError(DiscreetError):
    """A unit or a distance that cannot be."""


@final
class LossError(DiscreetError):
    """Losses that cannot be read, added, compared or converted."""


@final
class MechanismError(DiscreetError):
    """Noise or a mechanism that cannot be built, or used so."""
