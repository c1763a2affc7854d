import subprocess
import sys
import warnings
from itertools import combinations, pairwise

import matplotlib
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.figure import Figure

from hydralab import theme

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
EYES = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
    ]
)


def oklab(colour, eyes):
    channels = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return TO_LAB @ np.cbrt(TO_LMS @ np.clip(EYES[eyes] @ linear, 0, 1))


def contrast(one, other):
    low, high = sorted([theme.luminance(one), theme.luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["#ffffff", "#111111"])
def test_every_colour_reads_on_white_and_on_dark(ground):
    for colour in {*theme.SERIES, *theme.BAND_COLOURS, *theme.MARK_COLOURS.values(), theme.INK}:
        assert contrast(colour, ground) >= 3, colour


@pytest.mark.parametrize("eyes", list(EYES))
def test_sections_stay_apart_for_colour_blind_eyes(eyes):
    for one, other in combinations(theme.SECTION_COLOURS.values(), 2):
        assert np.linalg.norm(oklab(one, eyes) - oklab(other, eyes)) > 0.09


@pytest.mark.parametrize("eyes", list(EYES))
def test_bands_next_to_each_other_stay_apart(eyes):
    for one, other in pairwise([*theme.BAND_COLOURS, theme.BAND_COLOURS[0]]):
        assert np.linalg.norm(oklab(one, eyes) - oklab(other, eyes)) > 0.09


def test_text_on_a_fill_reads():
    for colour in theme.SECTION_COLOURS.values():
        assert contrast(colour, theme.ink_on(colour)) >= 4.3


def test_a_strategy_keeps_its_colour_whatever_else_is_drawn():
    assert theme.strategy_colour("my_strategy") == theme.strategy_colour("my_strategy")
    assert theme.strategy_colour("SlidingWindow(rounds=10)") == theme.STRATEGY_COLOURS["sliding_window"]


@pytest.mark.parametrize("text", ["市场推广预算", "−3.5 %", "预算 −3"])
def test_chinese_and_minus_signs_have_glyphs(text):
    """FAULTS 34."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with theme.plot_style([text]):
            figure = Figure()
            figure.text(0.5, 0.5, text)
        figure.canvas.draw()


def test_without_a_system_font_the_package_of_fonts_serves(monkeypatch):
    """FAULTS 34."""
    settings = dict(matplotlib.rcParams)
    monkeypatch.setattr(font_manager, "findSystemFonts", list)
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [])
    assert theme.find_cjk_font() == "Noto Sans CJK SC"
    assert dict(matplotlib.rcParams) == settings


def test_without_any_font_one_warning_names_the_package(monkeypatch):
    """FAULTS 34."""
    monkeypatch.setattr(theme, "find_cjk_font", lambda: None)
    theme._warn_of_missing_font.cache_clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            with theme.plot_style(["预算"]):
                assert not theme.has_glyphs("预算")
    (warning,) = caught
    assert "pip install mplfonts" in str(warning.message)
    theme._warn_of_missing_font.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with theme.plot_style(["budget"]):
            assert theme.has_glyphs("budget")


def test_the_theme_loads_no_matplotlib():
    code = "import sys, hydralab.theme; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
