"""hydralab: a Jupyter-first research toolkit for the memory of long LLM dialogues.

Read a dialogue, place checkpoints, hydrate a prompt under a token budget, replay it turn by turn:

>>> import hydralab as hl
>>> corpus = hl.read_all(hl.example("launch_en"))
>>> lab = hl.Lab(corpus)
>>> ctx = lab.hydrate("What was the marketing budget we mentioned earlier?", budget=600)
>>> "84,500" in ctx.prompt
True

Every public name loads when it is first used, so the import itself is light.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
