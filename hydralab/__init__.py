"""hydralab: a Jupyter-first research toolkit for the memory of long LLM dialogues.

Read a dialogue, place checkpoints, hydrate a prompt under a token budget, replay it turn by turn:

>>> import hydralab as hl
>>> corpus = hl.read_all(hl.example("launch_en"))
>>> lab = hl.Lab(corpus)
>>> ctx = lab.hydrate("What was the marketing budget we mentioned earlier?", budget=600)
>>> "84,500" in ctx.prompt
True

The rooms, by the flow of data (`lint-imports` holds their imports to it):

- what all of them use: the tables of `frames` and `schemas`, `core` (arrays of numpy, torch or any Array-API library),
  `texts`, `privacy`;
- where data comes in: `readers` (dialogues), `encoders` (vectors), `llms` (chat models), `stores` (what was kept);
- what happens to it: `signals` of turns, `triggers` that place boundaries, `checkpoints` of spans, a `graph` of
  entities, an `index` of vectors and words, `recall` of candidates, `packing` under a budget, `strategies` that do all
  that for one prompt, `replay` of a past dialogue, `agent` for one that is going on;
- where it goes out: `lab` (the class one works with), `metrics`, `benchmarks`, `attention`, `plots`, `widgets`, `cli`.

Every public name loads when it is first used, so the import itself is light.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
