from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.checkpoints.summaries import PAIR_WEIGHT, choose_sentences
from hydralab.checkpoints.word_rarity import information

WORDS = st.sampled_from(["budget", "launch", "oak", "kiln", "预算", "发布会", "apixaban"])
SENTENCES = st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=7)


def gain(sentences, at, chosen, *, repeat):
    """The formula of the docstring, word for word."""

    def concepts(sentence):
        return {*sentence, *pairwise(sentence)}

    def weight(concept):
        held = sum(concept in concepts(sentence) for sentence in sentences)
        if isinstance(concept, str):
            return held * information(concept)
        first, second = concept
        return 0 if first == second else held * PAIR_WEIGHT * (information(first) + information(second)) / 2

    return sum(
        weight(concept) * repeat ** sum(concept in concepts(sentences[other]) for other in chosen)
        for concept in concepts(sentences[at])
    )


@given(SENTENCES, st.integers(1, 30), st.sampled_from([0.0, 0.3, 1.0]))
def test_each_choice_is_the_best_that_fits(sentences, limit, repeat):
    costs = [len(sentence) + 1 for sentence in sentences]
    chosen = choose_sentences(sentences, costs, limit, repeat=repeat, brevity=0.5)
    for number, taken in enumerate(chosen):
        left = limit - sum(costs[at] for at in chosen[:number])
        rivals = [
            gain(sentences, at, chosen[:number], repeat=repeat) / costs[at] ** 0.5
            for at in range(len(sentences))
            if at not in chosen[:number] and (number == 0 or costs[at] <= left)
        ]
        assert gain(sentences, taken, chosen[:number], repeat=repeat) / costs[taken] ** 0.5 == pytest.approx(
            max(rivals)
        )


@given(SENTENCES, st.integers(1, 30))
def test_only_one_sentence_alone_may_cost_more_than_the_limit(sentences, limit):
    costs = [2 * len(sentence) + 1 for sentence in sentences]
    chosen = choose_sentences(sentences, costs, limit)
    assert len(set(chosen)) == len(chosen)
    assert len(chosen) <= 1 or sum(costs[at] for at in chosen) <= limit


def test_without_repeats_the_greedy_choice_covers_as_much_as_any():
    sentences = [["budget", "launch"], ["budget", "launch"], ["oak", "kiln"], ["rain"]]
    chosen = choose_sentences(sentences, [2, 2, 2, 2], 4, repeat=0.0, brevity=0.0)

    def covered(some):
        return len({word for at in some for word in sentences[at]})

    assert covered(chosen) == max(covered(some) for some in combinations(range(4), 2))


def test_salience_decides_between_equals():
    assert choose_sentences([["oak"], ["oak"]], [3, 3], 3, salience=[1.0, 1.5]) == [1]


@pytest.mark.parametrize("sentences", [[], [[]], [[], []]])
def test_nothing_to_say(sentences):
    assert choose_sentences(sentences, [1] * len(sentences), 10) == []
