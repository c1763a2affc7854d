"""A live dialogue with a chat model: the same code as a replay, stored as it goes on."""

from hydralab.agent.agent import Agent

__all__ = ["Agent"]
