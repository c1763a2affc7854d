"""What the graph costs, measured small."""

from hydralab.benchmarks.graph import measure_graph


def test_both_costs_are_measured():
    measured = measure_graph(turns=60, repeats=2)
    assert measured["what"].to_list()[2] == "walk over 60 turns"
    assert (measured["value"] >= 0).all()
    assert dict(measured.select("what", "value").rows())["relations"] > 0
