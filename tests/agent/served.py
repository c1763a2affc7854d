"""A process that serves one message and ends: `python served.py STORE MESSAGE`; killed where the message says so."""

import os
import signal
import sys

import hydralab as hl


def answer(messages):
    if messages[-1]["content"].startswith("KILL") and "again" not in sys.argv:
        os.kill(os.getpid(), signal.SIGKILL)
    return "记下了。"


if __name__ == "__main__":
    with hl.open_store(sys.argv[1]) as store:
        served = hl.TieredDialogue(store, "web").chat(answer, sys.argv[2], budget=1_200)
        print(served.context.prompt)
