"""Transforms colours by Little CMS; fails if formulas in NumPy give other colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import color
import numpy as np

# The white point D50 of profiles, and sRGB adapted to it.
D50 = np.array([0.9642, 1.0, 0.8249])
SRGB_TO_XYZ = np.array(
    [
        [0.4360747, 0.3850649, 0.1430804],
        [0.2225045, 0.7168786, 0.0606169],
        [0.0139322, 0.0971045, 0.7141733],
    ]
)


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<36} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def linear(rgb: np.ndarray) -> np.ndarray:
    """The light of sRGB values."""
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab_of(xyz: np.ndarray) -> np.ndarray:
    """CIE L*a*b* relative to D50."""
    t = xyz / D50
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = f.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def check_transforms(rng: np.random.Generator) -> None:
    srgb, lab = color.srgb(), color.lab()
    to_lab = color.Transform(srgb, lab, color.INTENT_RELATIVE_COLORIMETRIC)
    rgb = rng.random((2000, 3))
    found, expected = to_lab.apply(rgb), lab_of(linear(rgb) @ SRGB_TO_XYZ.T)
    print(f"2000 colours to Lab: within {np.abs(found - expected).max():.4f}")
    assert np.abs(found - expected).max() < 0.05

    back = color.Transform(lab, srgb, color.INTENT_RELATIVE_COLORIMETRIC)
    assert np.abs(back.apply(found) - rgb).max() < 1e-3

    # A transform keeps nothing of its profiles.
    srgb.close()
    lab.close()
    np.testing.assert_array_equal(to_lab.apply(rgb), found)

    # Images, as bytes, line by line.
    image = rng.integers(0, 256, (20, 30, 3), dtype=np.uint8)
    gray = color.gray(color.white_point(5003), color.Curve(gamma=1.0))
    to_gray = color.ByteTransform(
        color.srgb(), gray, color.INTENT_RELATIVE_COLORIMETRIC, color.FLAGS_NOOPTIMIZE
    )
    found = to_gray.apply(image)
    light = linear(image / 255) @ SRGB_TO_XYZ[1]
    print(f"an image to {found.shape}: within {np.abs(found[..., 0] / 255 - light).max():.4f}")
    assert found.shape == (20, 30, 1) and np.abs(found[..., 0] / 255 - light).max() < 0.01

    # Profiles determine the channels, and classes the dtype: C has one type for all of these.
    show_error("to_lab.apply(4 channels)", lambda: to_lab.apply(np.zeros((5, 4))))
    show_error("to_gray.apply(doubles)", lambda: to_gray.apply(np.zeros((5, 5, 3))))
    show_error("Transform.apply(to_gray, ...)", lambda: color.Transform.apply(to_gray, rgb))
    show_error("Transform(srgb, to_gray)", lambda: color.Transform(color.srgb(), to_gray))


def check_profiles(folder: Path) -> None:
    srgb = color.srgb()
    assert srgb.space() == color.Space.RgbData and srgb.is_matrix() == 1
    print(f"{srgb.info(color.Info.Description)!r}, ICC {srgb.format():.1f}")
    data = srgb.data()
    assert data[36:40] == b"acsp" and int.from_bytes(data[:4], "big") == len(data)
    again = color.Profile(data)
    assert again.data()[128:] == data[128:]  # after the header, which has the time
    path = str(folder / "srgb.icc")
    srgb.save(path)
    assert color.Profile(path).info(color.Info.Description) == srgb.info(color.Info.Description)
    show_error("Profile(b'nothing')", lambda: color.Profile(b"nothing"))
    show_error("srgb.save('absent/x.icc')", lambda: srgb.save(str(folder / "absent" / "x.icc")))

    # A profile of one's own: the primaries of Adobe RGB, and a power.
    d65 = color.White(0.3127, 0.3290, 1)
    primaries = color.Primaries(
        color.White(0.64, 0.33, 1), color.White(0.21, 0.71, 1), color.White(0.15, 0.06, 1)
    )
    curve = color.Curve(gamma=2.2)
    wide = color.rgb(d65, primaries, [curve] * 3)
    to_xyz = color.Transform(wide, color.xyz(), color.INTENT_RELATIVE_COLORIMETRIC)
    np.testing.assert_allclose(to_xyz.apply([[1.0, 1, 1]])[0], D50, atol=2e-3)


def check_curves() -> None:
    x = np.linspace(0, 1, 11)
    srgb = color.parametric(4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0, 0, 0, 0])
    values = np.array([srgb.value(v) for v in x])
    np.testing.assert_allclose(values, linear(x), atol=1e-5)
    reverse = srgb.reverse()
    np.testing.assert_allclose([reverse.value(v) for v in values], x, atol=1e-3)
    assert abs(color.Curve(gamma=1.8).gamma() - 1.8) < 0.01
    square = color.Curve(np.linspace(0, 1, 256, dtype=np.float32) ** 2)
    table = square.table()
    square.close()  # the view keeps the curve
    expected = np.linspace(0, 1, len(table)) ** 2 * 65535
    assert np.abs(table - expected).max() < 20 and not table.flags.writeable


def check_pipelines() -> None:
    turn = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    pipeline = color.Pipeline(3, 3)
    stage = color.matrix(turn, [0.1, 0, 0])
    pipeline.append(stage)
    show_error("pipeline.append(stage), again", lambda: pipeline.append(stage))

    # Little CMS interpolates what a function of Python gives at the points of a grid.
    grid = color.Stage(points=17, inputs=3, outputs=2)
    grid.sample(lambda rgb: ([rgb.mean(), rgb[0] * 0.5], 1))
    both = color.Pipeline(3, 2)
    both.append(grid)
    given = np.array([0.25, 0.5, 0.125], np.float32)
    np.testing.assert_allclose(pipeline.evaluate(given), turn @ given + [0.1, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(both.evaluate(given), [given.mean(), 0.125], atol=1e-4)
    other = color.Stage(points=3, inputs=1, outputs=1)
    show_error("a callback that raises", lambda: other.sample(lambda x: {}["?"]))


def check_tables() -> None:
    table = color.Table()
    table.set_kind("CGATS.17")
    table.set("WAVELENGTHS", 36)
    text = table.data().rstrip(b"\0").decode()
    assert text.startswith("CGATS.17") and "WAVELENGTHS" in text
    again = color.Table(text.encode())
    assert again.kind() == "CGATS.17" and again.number("WAVELENGTHS") == 36
    names = color.Names()
    assert not names.copy().closed
    show_error("Table.kind(names)", lambda: color.Table.kind(names))

    red, green = color.Lab(50, 60, 40), color.Lab(50, -60, 40)
    white = color.lab_of(color.XYZ(*D50))
    assert abs(white.L - 100) < 1e-3 and color.difference(red, red) == 0
    print(f"red and green differ by {color.difference(red, green):.1f}")


def main() -> None:
    print("Little CMS", color.version())
    check_transforms(np.random.default_rng(7))
    with TemporaryDirectory() as folder:
        check_profiles(Path(folder))
    check_curves()
    check_pipelines()
    check_tables()


if __name__ == "__main__":
    main()
