"""Ten thousand turns are read in a few seconds, token counts included."""

import json
import time

import hydralab.readers as readers

TEXT = (
    "We looked at the numbers for March and the depot in Rotterdam was late again. 市场推广预算大约四十万元。"
)


def test_ten_thousand_turns(tmp_path):
    talks = [
        {"messages": [{"role": role, "content": f"{TEXT} {talk}"} for role in ("user", "assistant") * 10]}
        for talk in range(500)
    ]
    path = tmp_path / "talks.jsonl"
    path.write_text("\n".join(map(json.dumps, talks)))
    start = time.perf_counter()
    turns = readers.read(path)
    assert turns.height == 10_000
    assert time.perf_counter() - start < 6
