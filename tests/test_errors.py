"""errors.py: the tree that is drawn is the tree there is; an error has three parts and a page;
only these travel and are shown; no error quotes what another exception said."""

import ast
import copy
import inspect
import logging
import os
import pickle
import re
import subprocess
import sys
import traceback
from collections.abc import Sequence

import pytest

from discreet import errors
from discreet.errors import DiscreetError, EntropyError, NumberError
from tests.arch.source import Source, Violations, package, planted

CANARY = "Alice, HIV positive"
KINDS = DiscreetError.__subclasses__()


def _an_error(kind: type[DiscreetError] = NumberError) -> DiscreetError:
    return kind("it is too small", cure='take `dp.exact("1/2")`', code="N02")


# --- the tree --------------------------------------------------------------------------------


def _drawn() -> list[tuple[str, str, str]]:
    """Name, letter and sentence of every branch in the drawing at the top of the file."""
    return re.findall(r"[├└]── (\w+) +([A-Z])   (.+)", errors.__doc__ or "")


def test_the_tree_is_drawn_as_it_is() -> None:
    drawn = [name for name, _, _ in _drawn()]
    assert drawn == [kind.__name__ for kind in KINDS]
    classes = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    assert {c for c in classes if c.__module__ == errors.__name__} == {DiscreetError, *KINDS}


def _wrong_letters(sources: Sequence[Source]) -> Violations:
    """Errors made with a code whose letter is not the drawn one, or that is no code at all."""
    letters = {name: letter for name, letter, _ in _drawn()}
    return [
        source.at(node, f"{name} with the code {code.value.value!r}")
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        for name in [node.func.id]
        for code in node.keywords
        if name in letters and code.arg == "code" and isinstance(code.value, ast.Constant)
        if not re.fullmatch(rf"{letters[name]}\d\d", str(code.value.value))
    ]


def test_each_kind_uses_its_letter() -> None:
    assert _wrong_letters(package()) == []


@pytest.mark.parametrize("code", ["N01", "U1", "U001", "u01", ""])
def test_a_wrong_letter_is_found(code: str) -> None:
    text = f"raise UnitError('…', cure='…', code={code!r})"
    assert len(_wrong_letters(planted({"units.py": text}))) == 1


def test_the_base_is_never_raised_itself() -> None:
    with pytest.raises(TypeError, match="abstract"):
        _an_error(DiscreetError)


# --- the three parts -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_has_a_problem_a_cure_a_code_and_a_page(kind: type[DiscreetError]) -> None:
    error = _an_error(kind)
    assert str(error).splitlines() == [
        "it is too small",
        '  cure: take `dp.exact("1/2")`',
        "  more: docs/errors.md#N02",
    ]
    assert (error.problem, error.code) == ("it is too small", "N02")
    assert error.cure == 'take `dp.exact("1/2")`'
    assert error.page == "docs/errors.md#N02"


def _same(left: DiscreetError, right: DiscreetError) -> bool:
    return type(left) is type(right) and str(left) == str(right) and left.args == right.args


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_survives_pickling(kind: type[DiscreetError], protocol: int) -> None:
    error = _an_error(kind)
    assert _same(pickle.loads(pickle.dumps(error, protocol)), error)  # noqa: S301 - our own bytes


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_survives_copying(kind: type[DiscreetError]) -> None:
    error = _an_error(kind)
    assert _same(copy.copy(error), error)
    assert _same(copy.deepcopy(error), error)


class _Plain(Exception):  # noqa: N818 - a mutant
    """What happens without `__reduce__`: keyword-only arguments are lost."""

    def __init__(self, problem: str, *, cure: str) -> None:
        super().__init__(problem)
        self.cure = cure


def test_the_default_pickling_would_not_do() -> None:
    with pytest.raises(TypeError):
        copy.copy(_Plain("it is too small", cure="more"))


def test_an_error_reaches_the_parent_process() -> None:
    program = (
        "from concurrent.futures import ProcessPoolExecutor as Pool\n"
        "from discreet.errors import NumberError\n"
        "from discreet.numbers import positive\n"
        "if __name__ == '__main__':\n"
        "    with Pool(1) as pool:\n"
        "        try: pool.submit(positive, 0, 'epsilon').result()\n"
        "        except NumberError as error: print(error.code, error.problem)\n"
    )
    path = os.pathsep.join(sys.path)
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert run.stdout == "N02 epsilon must be greater than zero\n"


# --- what hangs on an exception --------------------------------------------------------------


def _laden() -> DiscreetError:
    """An error on which others have hung what they know of the data."""
    error = _an_error()
    error.add_note(CANARY)
    vars(error)["row"] = CANARY
    with pytest.raises(NumberError) as caught:
        _raise_from_a_quote(error)
    return caught.value


def _raise_from_a_quote(error: DiscreetError) -> None:
    try:
        int(CANARY)
    except ValueError as failure:
        raise error from failure


def test_what_is_shown_has_only_the_three_parts() -> None:
    error = _laden()
    assert CANARY in "".join(traceback.format_exception(error))  # or nothing is shown here
    assert CANARY not in str(error) + repr(error) + f"{error}" + "".join(map(str, error.args))


def test_what_travels_has_only_the_three_parts() -> None:
    error = _laden()
    for there in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301
        assert _same(there, error)
        assert CANARY not in "".join(traceback.format_exception(there))
        assert vars(there).keys() == {"problem", "cure", "code"}


def test_a_log_of_the_error_has_only_the_three_parts(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        logging.getLogger("discreet").error("refused: %s", _laden())
    assert "N02" in caplog.text
    assert CANARY not in caplog.text


CAUSES = {"entropy.py": "the operating system speaks of its random source, before any data"}
"""Where another exception may be named as the cause of ours, and why it cannot quote data."""


def _ours(handler: ast.ExceptHandler) -> bool:
    """Whether nothing but our own errors is caught, whose text cannot quote data."""
    match handler.type:
        case ast.Name() as one:
            kinds: list[ast.expr] = [one]
        case ast.Tuple(elts=several):
            kinds = several
        case _:
            return False
    names = {"DiscreetError"} | {kind.__name__ for kind in KINDS}
    return all(isinstance(kind, ast.Name) and kind.id in names for kind in kinds)


def _quotes(sources: Sequence[Source]) -> Violations:
    """Handlers that let a foreign exception's words through: as a cause, in a text, in a note."""
    found: Violations = []
    for source in sources:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Attribute) and node.attr in {"add_note", "__notes__"}:
                found.append(source.at(node, "a note is no part of an error"))
            if not isinstance(node, ast.ExceptHandler) or _ours(node):
                continue
            if str(source.path) not in CAUSES:
                found += [source.at(node, what) for what in _let_through(node)]
    return found


def _let_through(handler: ast.ExceptHandler) -> Violations:
    inside = [node for part in handler.body for node in ast.walk(part)]
    raised = [node for node in inside if isinstance(node, ast.Raise)]
    return [
        "a raise that does not say `from None`"
        for node in raised
        if not (isinstance(node.cause, ast.Constant) and node.cause.value is None)
    ] + [
        f"{node.id} may quote the data"
        for node in inside
        if isinstance(node, ast.Name) and node.id == handler.name
    ]


def test_no_error_lets_the_words_of_another_through() -> None:
    assert _quotes(package()) == []


@pytest.mark.parametrize(
    "text",
    [
        "try: f()\nexcept ValueError: raise NumberError('…')",
        "try: f()\nexcept ValueError:\n    if x: raise NumberError('…') from y",
        "try: f()\nexcept ValueError as e: log(f'{e}')",
        "try: f()\nexcept (NumberError, OSError) as e: raise UnitError(str(e)) from None",
        "error.add_note(row)",
    ],
)
def test_words_let_through_are_found(text: str) -> None:
    assert len(_quotes(planted({"engine/sql.py": text}))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "try: f()\nexcept ValueError: raise NumberError('…') from None",
        "try: f()\nexcept NumberError as e: raise UnitError(e.problem) from e",
    ],
)
def test_silence_and_our_own_words_are_let_through(text: str) -> None:
    assert _quotes(planted({"engine/sql.py": text})) == []


def test_the_allowed_cause_is_used() -> None:
    """An allowance that nobody needs is a hole."""
    texts = {str(source.path): source.text for source in package()}
    assert all(re.search(r"raise .+ from [a-z]\w*$", texts[path], re.MULTILINE) for path in CAUSES)
    assert EntropyError in KINDS
