"""What pictures cost: OpenAI's tiles where the size is known, a flat charge where it is not."""

import base64
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.texts import tokenizer
from hydralab.texts.images import image_cost, image_size


def png(width, height):
    """A real picture, all black."""

    def chunk(kind, body):
        return (
            struct.pack(">I", len(body))
            + kind
            + body
            + struct.pack(">I", zlib.crc32(kind + body) & 0xFFFFFFFF)
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" * (width + 1) for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def data_url(picture):
    return "data:image/png;base64," + base64.b64encode(picture).decode()


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        # The worked examples of OpenAI's guide to vision.
        (1024, 1024, 765),
        (2048, 4096, 1105),
        (512, 512, 255),
        (513, 512, 425),
        (100, 20_000, 765),
        (None, None, 765),
        (0, 300, 765),
        ("640", 480, 765),
        (float("nan"), 480, 765),
    ],
)
def test_the_published_formula(width, height, expected):
    """FAULTS 6."""
    assert image_cost("high", width, height) == image_cost("auto", width, height) == expected
    assert image_cost("low", width, height) == 85


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_picture_is_at_least_one_tile_and_at_most_eight_however_it_lies(width, height):
    assert 85 + 170 <= image_cost(None, width, height) == image_cost(None, height, width) <= 85 + 8 * 170


def test_the_size_stands_in_the_picture_itself():
    encoded = base64.b64encode(png(30, 20)).decode()
    assert image_size("data:image/png;base64," + encoded) == image_size(encoded) == (30, 20)


@pytest.mark.parametrize(
    "broken",
    ["", "data:", "data:image/png;base64,AAAA", "data:,äöü", "!!!!", None, 5, "https://example.org/a.png"],
)
def test_what_is_no_picture_has_no_size(broken):
    assert image_size(broken) is None


@given(st.binary(max_size=200))
def test_no_data_breaks_the_count(data):
    image_size(data_url(png(1, 1)[:16] + data))


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ({"type": "image_url", "image_url": {"url": data_url(png(600, 200))}}, 425),
        ({"type": "image_url", "image_url": {"url": data_url(png(600, 200)), "detail": "low"}}, 85),
        ({"type": "input_image", "image_url": data_url(png(600, 200)), "detail": "high"}, 425),
        ({"type": "image_url", "image_url": {"url": "https://example.org/lake.jpg"}}, 765),
        ({"type": "image_url", "image_url": "https://example.org/lake.jpg"}, 765),
    ],
)
def test_messages_charge_their_pictures(image, expected):
    """FAULTS 6: the picture costs what its tiles cost, not what its base64 would."""
    count = tokenizer().count_messages
    says = {"type": "text", "text": "看这张图"}
    assert count([{"role": "user", "content": [says, image]}]) == expected + count(
        [{"role": "user", "content": [says]}]
    )
