"""A live dialogue with a chat model: the same code as a replay, stored as it goes on."""

from hydralab.agent.agent import Agent
from hydralab.agent.tiered import Served, TieredDialogue, tiers_of

__all__ = ["Agent", "Served", "TieredDialogue", "tiers_of"]
