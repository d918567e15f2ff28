"""What `str` writes of a loss, `dp.loss` reads; and it reads nothing else into a text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

import discreet as dp
from discreet.errors import DiscreetError, LossError, NumberError
from discreet.loss import GDP, ZCDP, Approx, Loss, Pure, Renyi
from discreet.loss.text import LONGEST
from tests.laws.strategies import KINDS, SAMPLES, Kind, untyped

BY_KIND: Final = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.of.__name__)
SPACE: Final = st.sampled_from(["", " ", "  ", "\t", "\n", " \r\n "])


def read_back(loss: Loss) -> bool:
    return type(dp.loss(str(loss))) is type(loss) and dp.loss(str(loss)) == loss


@BY_KIND
@settings(max_examples=80)
@given(data=st.data())
def test_what_is_written_is_read_back(kind: Kind, data: st.DataObject) -> None:
    loss, other = data.draw(kind.losses), data.draw(kind.grouped)
    for made in (loss, loss + loss, 3 * loss, loss.zero(), other.group(3)):
        assert read_back(made)


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        ("epsilon=3", Pure(3)),
        ("epsilon=1/3", Pure("1/3")),
        ("epsilon=1, delta=1e-6", Approx(1, "1e-6")),
        ("epsilon=0, delta=0", Approx(0, 0)),
        ("rho=1/2", ZCDP("1/2")),
        ("rho=1/2, delta=1e-6", ZCDP("1/2", "1e-6")),
        ("rho=1/2, delta=0", ZCDP("1/2")),
        ("mu=1", GDP(1)),
        ("mu=sqrt(2)", GDP.root(2)),
        ("mu=sqrt(9/4)", GDP("3/2")),
        ("mu=sqrt ( 2 )", GDP.root(2)),
        ("renyi=2:0.5 4:1", Renyi({2: "1/2", 4: 1})),
        ("renyi=4:1 2:1/2", Renyi({2: "1/2", 4: 1})),
        ("renyi=2:5 4:1", Renyi({4: 1})),
        ("epsilon=1_000", Pure(1000)),
        ("epsilon=0.1", Pure(0.1)),
        ("epsilon=1E-3", Pure("1/1000")),
    ],
)
def test_each_form_means_its_loss(text: str, loss: Loss) -> None:
    assert dp.loss(text) == loss
    assert type(dp.loss(text)) is type(loss)


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (Pure("1/2"), "epsilon=0.5"),
        (Approx(1, 0), "epsilon=1, delta=0"),
        (Approx("1/3", "1e-6"), "epsilon=1/3, delta=1e-6"),
        (ZCDP("1/2"), "rho=0.5"),
        (ZCDP("1/2", "1e-6"), "rho=0.5, delta=1e-6"),
        (GDP.root(2), "mu=sqrt(2)"),
        (GDP.root("9/4"), "mu=1.5"),
        (Renyi({4: 1, 2: "1/2"}), "renyi=2:0.5 4:1"),
    ],
)
def test_losses_are_written_as_the_contracts_say(loss: Loss, text: str) -> None:
    assert str(loss) == text
    assert f"{loss}" == text


@pytest.mark.parametrize("loss", SAMPLES, ids=str)
@given(data=st.data())
def test_order_and_space_make_no_difference(loss: Loss, data: st.DataObject) -> None:
    for parts in permutations(str(loss).split(", ")):
        spaced = []
        for part in parts:
            name, _, value = part.partition("=")
            around = [data.draw(SPACE) for _ in range(4)]
            spaced.append(f"{around[0]}{name}{around[1]}={around[2]}{value}{around[3]}")
        assert dp.loss(",".join(spaced)) == loss


@pytest.mark.parametrize(
    "text",
    [
        "epsilon=1, epsilon=1",
        "epsilon=1, epsilon=2",
        "epsilon=1, delta=0, epsilon=1",
        "rho=1, delta=0, delta=0",
        "mu=1,mu=1",
        "renyi=2:1, renyi=3:1",
    ],
)
def test_a_name_that_stands_twice_is_refused(text: str) -> None:
    assert code_of(text) == "L15"


def test_an_order_that_stands_twice_is_refused() -> None:
    assert code_of("renyi=2:1 2:1") == "L02"
    assert code_of("renyi=2:1 4/2:2") == "L02"


VALUES: Final = {"epsilon": "1", "delta": "0", "rho": "1", "mu": "1", "renyi": "2:1"}
WHOLE: Final = ["epsilon", "delta epsilon", "rho", "delta rho", "mu", "renyi"]


@pytest.mark.parametrize(
    "names",
    [names for size in range(1, 6) for names in combinations(sorted(VALUES), size)],
    ids=" ".join,
)
def test_only_six_sets_of_names_make_a_loss(names: tuple[str, ...]) -> None:
    text = ",".join(f"{name}={VALUES[name]}" for name in names)
    if " ".join(names) in WHOLE:
        assert read_back(dp.loss(text))
    else:
        assert code_of(text) == "L16"


def code_of(text: object) -> str:
    """The code with which a text is refused: at once, with a cure, and with little of the text."""
    with pytest.raises(DiscreetError) as refused:
        dp.loss(untyped(text))
    assert isinstance(refused.value, LossError | NumberError)
    assert "`" in refused.value.cure
    assert len(str(refused.value)) < 500
    assert str(refused.value).replace("\n", "").isprintable()
    return refused.value.code


HOSTILE: Final[dict[str, tuple[object, str]]] = {
    "nothing": ("", "L13"),
    "space": (" \n", "L13"),
    "no text": (None, "L13"),
    "bytes": (b"epsilon=1", "L13"),
    "a loss": (Pure(1), "L13"),
    "a number": (1, "L13"),
    "a bare number": ("1", "L13"),
    "no value": ("epsilon=", "L13"),
    "no name": ("=1", "L14"),
    "a comma too many": ("epsilon=1,", "L13"),
    "a comma first": (",epsilon=1", "L13"),
    "a decimal comma": ("epsilon=0,5", "L13"),
    "semicolons": ("epsilon=1; delta=0", "L13"),
    "no comma": ("epsilon=1 delta=0", "L13"),
    "two signs": ("epsilon==1", "L13"),
    "another name": ("eps=1", "L14"),
    "another case": ("Epsilon=1", "L14"),
    "a Greek name": ("ε=1", "L14"),
    "a look-alike": ("еpsilon=1", "L14"),
    "a control character": ("epsi\x00lon=1", "L14"),
    "an escape": ("\x1b[31m=1", "L14"),
    "a direction mark": ("\u202eepsilon=1", "L14"),
    "half a character": ("\ud800=1", "L14"),
    "an attribute": ("__class__=1", "L14"),
    "a long name": ("e" * 90_000 + "=1", "L14"),
    "no number": ("epsilon=one", "N01"),
    "nan": ("epsilon=nan", "N01"),
    "inf": ("epsilon=inf", "N01"),
    "a negative number": ("epsilon=-1", "N03"),
    "a large delta": ("epsilon=1, delta=1.1", "N04"),
    "a zero below": ("epsilon=1/0", "N01"),
    "other digits": ("epsilon=１", "N01"),
    "a huge power": ("epsilon=1e999999999", "N01"),
    "a sum": ("epsilon=1+1", "N01"),
    "a call": ("epsilon=exit()", "N01"),
    "a root": ("epsilon=sqrt(2)", "N01"),
    "a root of less than none": ("mu=sqrt(-1)", "N03"),
    "a root of a root": ("mu=sqrt(sqrt(2))", "N01"),
    "half a root": ("mu=sqrt(2", "N01"),
    "an empty root": ("mu=sqrt()", "N07"),
    "more than a root": ("mu=2 sqrt(2)", "N01"),
    "more after a root": ("mu=sqrt(2)3", "N01"),
    "no colon": ("renyi=2", "L13"),
    "two colons": ("renyi=2:1:1", "N01"),
    "no order": ("renyi=:1", "N07"),
    "no epsilon": ("renyi=2:", "N07"),
    "space at the colon": ("renyi=2 : 1", "L13"),
    "commas in a curve": ("renyi=2:1, 4:1", "L13"),
    "a small order": ("renyi=1:1", "L02"),
    "a negative epsilon": ("renyi=2:-1", "N03"),
    "many commas": ("," * 90_000, "L13"),
    "many signs": ("=" * 90_000, "L13"),
    "many names": ("epsilon=1," * 9_000, "L15"),
    "many colons": ("renyi=" + ":" * 90_000, "N07"),
    "many brackets": ("mu=" + "sqrt(" * 9_000 + "2" + ")" * 9_000, "N01"),
    "many orders alike": ("renyi=" + "2:1 " * 9_000, "L02"),
    "a long mistake": ("epsilon=" + "9" * 90_000 + "x", "N01"),
}


@pytest.mark.parametrize(("text", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused(text: object, code: str) -> None:
    assert code_of(text) == code


@settings(max_examples=200)
@given(st.text(alphabet="epsilondrhmuy=,:/.()-+ e0129_\n", max_size=40))
def test_any_text_is_a_loss_or_refused_with_a_cure(text: str) -> None:
    found = read_or_cure(text)
    assert read_back(found) if isinstance(found, Loss) else "`" in found


def read_or_cure(text: str) -> Loss | str:
    try:
        return dp.loss(text)
    except DiscreetError as error:
        return error.cure


# --- long text -----------------------------------------------------------------------------------

LONG: Final[dict[str, Callable[[], Loss]]] = {
    "an integer": lambda: Pure(10**5000 + 1),
    "a longer integer": lambda: Pure(10**20_000 + 1),
    "a ratio": lambda: Approx(Fraction(10**9000 + 1, 10**9000 + 3), Fraction(1, 10**9000 + 1)),
    "a harmonic sum": lambda: sum((Pure(Fraction(1, n)) for n in range(1, 10_001)), start=Pure(0)),
    "a root": lambda: GDP.root(10**6000 + 1),
    "a purse": lambda: ZCDP(1, Fraction(1, 10**15_000 + 1)),
    "a curve": lambda: Renyi((n + 1, Fraction(n, 10**1000 + n)) for n in range(1, 40)),
    "minute numbers": lambda: Pure("1e-400").to(Renyi),
    "a group": lambda: Pure("1/10").to(Renyi).group(64) + GDP(1).to(Renyi).group(64),
}


@pytest.mark.parametrize("make", LONG.values(), ids=LONG)
def test_losses_with_long_numbers_are_read_back(make: Callable[[], Loss]) -> None:
    loss = make()
    assert len(str(loss)) > 4_000
    assert read_back(loss)


def test_text_beyond_all_bounds_is_refused_unread() -> None:
    assert dp.loss("epsilon=1" + " " * (LONGEST - 9)) == Pure(1)
    assert code_of("epsilon=1" + " " * (LONGEST - 8)) == "L13"
    assert code_of("9" * (LONGEST + 1)) == "L13"
