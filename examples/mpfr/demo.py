"""Computes with 200 bits by MPFR, and compares with Python's decimal; fails if the two differ."""

from __future__ import annotations

from decimal import Decimal, getcontext

import mpfr
from mpfr import Real, Round


def close(number: Real, wanted: Decimal) -> bool:
    got = Decimal(number.text(61))
    return abs(got - wanted) <= abs(wanted) * Decimal("1e-59")


def main() -> None:
    getcontext().prec = 80
    mpfr.precision(200)
    third, two = Real(1) / Real(3), Real("2")
    print("1/3     ", third.text(50))
    print("sqrt(2) ", mpfr.sqrt(two).text(50))
    print("exp(1/3)", mpfr.exp(third).text(50))
    print("pi      ", mpfr.pi().text(50))
    exact = Decimal(1) / Decimal(3)
    assert close(third, exact) and close(two * third - Real(5), 2 * exact - 5)
    assert close(mpfr.sqrt(two), Decimal(2).sqrt())
    assert close(mpfr.exp(third), exact.exp())

    # A series for pi, whose terms are new objects and whose sum is one that C changes.
    total, power = Real(0), Real(1)
    for k in range(90):
        terms = [Real(4) / Real(8 * k + 1), Real(2) / Real(8 * k + 4)]
        terms += [Real(1) / Real(8 * k + 5), Real(1) / Real(8 * k + 6)]
        total = total + power * (terms[0] - terms[1] - terms[2] - terms[3])
        power = power / Real(16)
    assert close(total, Decimal(mpfr.pi().text(61)))

    # Rounding, several results, and objects with another precision.
    down, up = (Real("0.1", rnd=way) for way in (Round.RNDD, Round.RNDU))
    assert down < up and Decimal(down.text(70)) < Decimal("0.1") < Decimal(up.text(70))
    sine, cosine = mpfr.sin_cos(third)
    assert close(sine * sine + cosine * cosine, Decimal(1))
    assert (third.bits, mpfr.nan(1000).bits, mpfr.precision()) == (200, 1000, 200)
    number = Real(1.5)
    number += 0.25
    assert number == Real("1.75") and float(number) == 1.75 and str(number) == "1.75"
    try:
        Real("1,5")
    except RuntimeError as error:
        print(error)
    else:
        raise AssertionError("a comma was accepted")


if __name__ == "__main__":
    main()
