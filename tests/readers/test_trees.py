"""Branches of a tree of messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydralab.errors import ReadError, UnknownNameError
from hydralab.readers.trees import branch_paths


@st.composite
def trees(draw):
    """Node → parent, each parent drawn among the nodes before it."""
    size = draw(st.integers(1, 12))
    return {str(node): str(draw(st.integers(0, node - 1))) if node else None for node in range(size)}


@given(trees())
def test_every_node_is_on_a_branch_and_every_branch_ends_at_its_own_leaf(parents):
    branches = branch_paths(parents, which="all")
    leaves = set(parents) - set(parents.values())
    assert {branch.path[-1] for branch in branches} == leaves
    assert {node for branch in branches for node in branch.path} == set(parents)
    forks = [branch.fork for branch in branches[1:]]
    assert branches[0].fork is None
    assert len(set(forks)) == len(forks)


@given(trees(), st.data())
def test_the_current_branch_passes_the_current_node(parents, data):
    current = data.draw(st.sampled_from(sorted(parents)))
    (branch,) = branch_paths(parents, current)
    assert current in branch.path
    assert branch.path[0] == "0"
    assert all(parents[child] == parent for parent, child in zip(branch.path, branch.path[1:], strict=False))


def test_without_a_current_node_the_newest_child_is_taken():
    assert branch_paths({"a": None, "b": "a", "c": "a", "d": "b"})[0].path == ("a", "c")


def test_a_lost_parent_makes_a_root():
    assert branch_paths({"a": "gone", "b": "a"}, "b")[0].path == ("a", "b")


def test_what_is_no_tree_is_told():
    with pytest.raises(ReadError, match="without a root"):
        branch_paths({"a": "b", "b": "a"})
    with pytest.raises(ReadError, match="without messages"):
        branch_paths({})
    with pytest.raises(ReadError, match="in a circle"):
        branch_paths({"r": None, "a": "b", "b": "a"}, "a")
    with pytest.raises(UnknownNameError, match="unknown value of branches 'some'; known: "):
        branch_paths({"a": None}, which="some")


def test_a_chain_of_ten_thousand_messages_is_walked():
    parents = {str(node): str(node - 1) if node else None for node in range(10_000)}
    assert len(branch_paths(parents, which="all")[0].path) == 10_000
