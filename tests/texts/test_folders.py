"""Where files that can be made again are kept."""

import stat

from hydralab.texts import content_words
from hydralab.texts.chinese import cut
from hydralab.texts.folders import cache_folder


def test_the_variable_names_the_folder_and_nobody_else_reads_it(tmp_path, monkeypatch):
    monkeypatch.setenv("HYDRALAB_CACHE", str(tmp_path / "mine"))
    folder = cache_folder("jieba")
    assert folder == tmp_path / "mine" / "jieba"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("HYDRALAB_CACHE", str(blocked))
    assert not cache_folder("jieba").exists()


def test_words_added_to_the_global_jieba_change_nothing():
    import jieba

    jieba.add_word("市场推广预算")
    try:
        assert cut("市场推广预算") == ["市场推广", "预算"]
    finally:
        jieba.del_word("市场推广预算")


def test_loading_the_dictionary_prints_nothing(capfd):
    content_words("我们的预算")
    assert capfd.readouterr() == ("", "")
