"""Numbers with units that read well."""


def seconds_of(seconds: float) -> str:
    """Return a duration: `4.2 us`, `31 ms`, `3.1 s`."""
    for factor, unit in ((1e6, "us"), (1e3, "ms")):
        if seconds * factor < 1000:
            return f"{_three(seconds * factor)} {unit}"
    return f"{_three(seconds)} s"


def bytes_of(count: float) -> str:
    """Return an amount of memory, in powers of 1000: `1.2 MB`, `3.1 GB`."""
    for factor, unit in ((1e3, "kB"), (1e6, "MB")):
        if count < factor * 1000:
            return f"{_three(count / factor)} {unit}"
    return f"{_three(count / 1e9)} GB"


def rate(a_second: float) -> str:
    """Return a number a second: `12,300`, `1.2 million`."""
    return f"{_three(a_second / 1e6)} million" if a_second >= 1e6 else f"{a_second:,.0f}"


def each(seconds: float) -> str:
    """Return nanoseconds."""
    return _three(seconds * 1e9)


def ratio(times: float) -> str:
    """Return a factor: `12x`, `3.4x`, `1,200x`."""
    return f"{_three(times)}x"


def _three(number: float) -> str:
    """Return about three digits, thousands apart, never an exponent."""
    if number >= 100:
        return f"{number:,.0f}"
    digits = f"{number:.1f}" if number >= 10 else f"{number:.2f}"
    return digits.rstrip("0").rstrip(".")
