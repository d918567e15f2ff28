"""What is said of the machine."""

from __future__ import annotations

from bench.machine import describe, processor

CPUINFO = "processor\t: 0\nvendor_id\t: Someone\nmodel name\t: A Processor: 3 GHz\n\nflags\t: fpu\n"


def test_the_processor_is_found() -> None:
    assert processor(CPUINFO) == "A Processor: 3 GHz"
    assert processor("") is None
    assert processor("model\t: 7\n") is None


def test_a_machine_has_a_processor_a_system_and_a_python() -> None:
    found = describe()
    assert all(found[name] for name in ("cpu", "cores", "system", "python"))
