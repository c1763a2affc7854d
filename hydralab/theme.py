"""One look for everything hydralab draws: colours, type, spacing, and the fonts of matplotlib.

A section, a strategy and a mark keep their colour in every plot, table and widget. All colours have
a contrast of at least 3 : 1 on white and on #111, and the six of `SERIES` stay apart under the common
kinds of colour blindness: they were searched for in OKLab so that the smallest difference of any two,
seen by normal, protan and deutan eyes (simulation of Machado, Oliveira and Fernandes 2009), is largest
for this hue order; the starting point was the palette of Okabe and Ito.

>>> strategy_colour("hydration") == SERIES[0]
True
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zlib import crc32

from hydralab.frames import SECTIONS
from hydralab.optional import load_optional

__all__ = [
    "BAND_COLOURS",
    "FONT_STACK",
    "INK",
    "MARK_COLOURS",
    "SECTION_COLOURS",
    "SERIES",
    "SPACING",
    "STRATEGY_COLOURS",
    "band_colour",
    "css_variables",
    "find_cjk_font",
    "has_glyphs",
    "ink_on",
    "plot_style",
    "series_colour",
    "strategy_colour",
]

BLUE, GREEN, BROWN, ORCHID, SLATE, ORANGE = "#135ED8", "#36A676", "#885802", "#CE70CF", "#5F636F", "#F56314"

SERIES: tuple[str, ...] = (BLUE, ORANGE, GREEN, ORCHID, BROWN, SLATE)
"""Colours of things that have no colour of their own, in order of use."""

SECTION_COLOURS: Mapping[str, str] = MappingProxyType(
    dict(zip(SECTIONS, (SLATE, ORCHID, BLUE, ORANGE, GREEN, BROWN), strict=True))
)
"""Section of a prompt → colour: system, memory, checkpoint, recalled, recent, query."""

STRATEGY_COLOURS: Mapping[str, str] = MappingProxyType(
    {"hydration": BLUE, "sliding_window": ORANGE, "full_history": SLATE, "summary": GREEN}
)
"""Name of a strategy → colour; `strategy_colour` finds one for any other name."""

BAND_COLOURS: tuple[str, ...] = ("#135ED8", "#2FA3A0", "#7A4FC9", "#5C8FB8", "#0F7C66", "#A07BE0")
"""Cool colours of checkpoint bands, in turn; neighbours differ in lightness too."""

INK = "#757A83"
"""Text and axes of a figure with a transparent background: 4 : 1 on white and on #111."""

MARK_COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "curve": "#7C8594",
        "boundary": BLUE,
        "previous": ORCHID,
        "gold": "#A8810F",
        "threshold": ORANGE,
        "cursor": ORANGE,
        "free": "#8A8F98",
        "met": "#2B8A5F",
        "lost": "#D6402B",
    }
)
"""What a mark on a curve or a row means → colour."""

SPACING: Mapping[str, int] = MappingProxyType({"tight": 2, "small": 4, "medium": 8, "large": 16})
"""Distances in pixels."""

FONT_STACK = (
    'system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "PingFang SC", '
    '"Microsoft YaHei", sans-serif'
)
"""CSS font families of tables and widgets, Latin first, then Chinese."""

CJK_FONTS: tuple[str, ...] = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "Sarasa Gothic SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Heiti TC",
    "STHeiti",
    "SimHei",
    "Noto Sans CJK JP",
    "Noto Sans CJK TC",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)
CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def series_colour(number: int) -> str:
    """Return the colour of the numbered series; they repeat after six.

    >>> series_colour(0) == series_colour(6)
    True
    """
    return SERIES[number % len(SERIES)]


def strategy_colour(name: str) -> str:
    """Return the colour of a strategy: its own, that of the kind its name starts with, or a fixed one.

    >>> strategy_colour("hydration(budget=1000)") == STRATEGY_COLOURS["hydration"]
    True
    """
    plain = re.sub(r"[^a-z]", "", name.lower())
    for known, colour in STRATEGY_COLOURS.items():
        if plain.startswith(known.replace("_", "")):
            return colour
    return SERIES[crc32(plain.encode()) % len(SERIES)]


def band_colour(number: int) -> str:
    """Return the colour of the numbered checkpoint of a dialogue; they repeat after six.

    >>> band_colour(1)
    '#2FA3A0'
    """
    return BAND_COLOURS[number % len(BAND_COLOURS)]


def ink_on(colour: str) -> str:
    """Return white or near-black, whichever reads better as text on a fill of `colour`.

    >>> ink_on("#135ED8"), ink_on("#36A676")
    ('#ffffff', '#111111')
    """
    light = luminance(colour)
    return "#ffffff" if 1.05 / (light + 0.05) >= (light + 0.05) / (luminance("#111111") + 0.05) else "#111111"


def luminance(colour: str) -> float:
    """Return the relative luminance (WCAG 2) of a `#rrggbb` colour, 0 to 1."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def css_variables() -> str:
    """Return the theme as CSS custom properties, to be put inside a rule.

    >>> "--hl-recalled: #F56314;" in css_variables()
    True
    """
    colours = {**SECTION_COLOURS, **MARK_COLOURS}
    lines = [f"--hl-{name}: {value};" for name, value in colours.items()]
    lines += [f"--hl-band-{number}: {value};" for number, value in enumerate(BAND_COLOURS)]
    lines += [f"--hl-space-{name}: {value}px;" for name, value in SPACING.items()]
    return "\n".join([*lines, f"--hl-font: {FONT_STACK};"])


@contextmanager
def plot_style(labels: Iterable[str] = ()) -> Iterator[None]:
    """Set matplotlib's look for the block: transparent figure, theme colours, fonts for every script.

    Fonts are those of `find_cjk_font` behind matplotlib's own, glyph by glyph, so Chinese labels
    and minus signs both come out right. A figure keeps the look after the block.

    Parameters
    ----------
    labels
        The texts that will be drawn. If one holds Chinese, Japanese or Korean and no font has the
        glyphs, one warning names the package to install.

    Raises
    ------
    MissingExtraError
        When matplotlib is not installed.

    >>> from matplotlib import rcParams
    >>> with plot_style():
    ...     rcParams["figure.facecolor"]
    'none'
    """
    matplotlib = load_optional("matplotlib", extra="notebook", purpose="a plot")
    font = find_cjk_font()
    if font is None and not all(has_glyphs(label) for label in labels):
        _warn_of_missing_font()
    with matplotlib.rc_context(_settings(font)):
        yield


def find_cjk_font() -> str | None:
    """Return the name of a font with Chinese glyphs, made known to matplotlib, or None.

    System fonts come first, then the Noto Sans CJK that the package mplfonts carries; its settings
    and matplotlib's are left as they are.
    """
    manager = load_optional("matplotlib.font_manager", extra="notebook", purpose="a plot")
    return _system_font(manager) or _packaged_font(manager)


def has_glyphs(text: str) -> bool:
    """Tell whether a plot can show `text`: it holds no Chinese, Japanese or Korean, or there is a font.

    >>> has_glyphs("budget")
    True
    """
    return not CJK.search(text) or find_cjk_font() is not None


def _system_font(manager: Any) -> str | None:
    known = {entry.name for entry in manager.fontManager.ttflist}
    if name := next((name for name in CJK_FONTS if name in known), None):
        return name
    # matplotlib keeps a list of fonts on disk and doesn't see one that was installed after it was made.
    for path in sorted(manager.findSystemFonts()):
        if any(part in Path(path).name for part in ("CJK", "NotoSansSC", "SourceHanSans", "wqy-", "SimHei")):
            manager.fontManager.addfont(path)
    known = {entry.name for entry in manager.fontManager.ttflist}
    return next((name for name in CJK_FONTS if name in known), None)


def _packaged_font(manager: Any) -> str | None:
    # The package's own set-up rewrites matplotlib's settings file, so only its folder is looked up.
    package = find_spec("mplfonts")
    for folder in (package.submodule_search_locations or ()) if package else ():
        for path in sorted(Path(folder, "fonts").glob("NotoSansCJK*")):
            manager.fontManager.addfont(path)
            return str(manager.get_font(path).family_name)
    return None


@cache
def _warn_of_missing_font() -> None:
    warnings.warn(
        "no font with Chinese glyphs was found, so plots show boxes for them: "
        "pip install mplfonts (part of the extra notebook) or, on Debian, apt install fonts-noto-cjk",
        UserWarning,
        stacklevel=4,
    )


def _settings(cjk_font: str | None) -> dict[str, Any]:
    matplotlib = load_optional("matplotlib", extra="notebook", purpose="a plot")
    cycler = load_optional("cycler", extra="notebook", purpose="a plot").cycler
    return {
        "figure.facecolor": "none",
        "savefig.facecolor": "none",
        "axes.facecolor": "none",
        "font.family": ["DejaVu Sans", *([cjk_font] if cjk_font else [])],
        "font.size": 9.5,
        "axes.titlesize": 10.5,
        "axes.titlelocation": "left",
        "axes.titleweight": "bold",
        "axes.unicode_minus": True,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "axes.titlecolor": INK,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "axes.prop_cycle": cycler(color=SERIES),
        "axes.axisbelow": True,
        "grid.color": INK,
        "grid.alpha": 0.25,
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "lines.linewidth": 1.4,
        "figure.dpi": matplotlib.rcParams["figure.dpi"],
        "savefig.dpi": 150,
    }
