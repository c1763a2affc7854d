"""A chat whose process is killed while the model answers: `python killed.py FILE`."""

import os
import signal
import sys

import hydralab as hl


def answer(messages):
    if messages[-1]["content"] == "My PIN is 4711.":
        os.kill(os.getpid(), signal.SIGKILL)
    return "Noted."


if __name__ == "__main__":
    agent = hl.Agent(answer, hl.ExplicitMemory(), store=sys.argv[1], dialogue="pins")
    agent.chat("I like green tea.")
    agent.chat("My PIN is 4711.")
