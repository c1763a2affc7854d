"""Documents beside the dialogues: what is read, and what is refused with file, line and reason (FAULTS 11)."""

import pytest

import hydralab as hl
from hydralab.readers.documents import page_text, read_documents


def test_a_folder_is_read_in_the_order_of_names_and_one_bad_file_costs_no_other(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "a.md").write_text("# 采购制度\n\n超过五万元须审批。", encoding="utf-8")
    (tmp_path / "b" / "c.html").write_text("<title>Refunds</title><p>Ten days.</p>", encoding="utf-8")
    (tmp_path / "d.txt").write_bytes("fine\nbad \xe9 byte".encode("latin-1"))
    (tmp_path / "e.txt").write_bytes("\ufeff预算\r\n四十万".encode("utf-16-le"))
    (tmp_path / "f.txt").write_text(" \n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\x00")
    found = list(read_documents(tmp_path))
    assert [(each.title, each.source) for each in (found[0], found[1], found[3])] == [
        ("采购制度", "a.md"),
        ("Refunds", "b/c.html"),
        ("e", "e.txt"),
    ]
    assert str(found[2]) == "d.txt: line 2: byte 0xe9 is not UTF-8"
    assert str(found[4]).startswith("f.txt: says nothing")
    assert len(found) == 5


def test_a_page_reads_as_it_is_seen():
    title, text = page_text(
        "<html><head><title> Our  prices<style>p {}</style></title></head><body><h1>Prices</h1>"
        "<script>alert('no')</script><ul><li>tea &lt; 3&nbsp;€<li>coffee</ul>"
        "<table><tr><th>size</th><th>price</th></tr><tr><td>S</td><td>2</td></tr></table><pre>a\n  b</pre>"
    )
    assert title.startswith("Our prices")
    assert "# Prices" in text
    assert "- tea < 3\xa0€" in text.replace("3 €", "3\xa0€")
    assert "| size | price |" in text
    assert "a\n  b" in text
    assert "alert" not in text


def test_what_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(hl.ReadError, match="no such file or folder"):
        list(read_documents(tmp_path / "none.md"))
    with pytest.raises(hl.ReadError, match="holds no documents"):
        list(read_documents(tmp_path))
    (tmp_path / "x.txt").write_bytes(b"PK\x00\x01binary")
    (only,) = read_documents(tmp_path / "x.txt")
    assert "binary file" in str(only)
