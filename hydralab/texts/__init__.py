"""Language, words, sentences, tokens, entities and normal forms of Chinese and English text.

Nothing here reads or writes what a caller did not hand over; dictionaries and vocabularies load when
first used.
"""

from __future__ import annotations

from hydralab.texts.extracting import ENTITY_TYPES, entities
from hydralab.texts.keys import key_text, key_texts
from hydralab.texts.normalising import normalise, scrub, sendable
from hydralab.texts.scripts import language
from hydralab.texts.splitting import sentences
from hydralab.texts.tokens import Tokenizer, tokenizer
from hydralab.texts.words import content_words, lexical_terms

__all__ = [
    "ENTITY_TYPES",
    "Tokenizer",
    "content_words",
    "entities",
    "key_text",
    "key_texts",
    "language",
    "lexical_terms",
    "normalise",
    "scrub",
    "sendable",
    "sentences",
    "tokenizer",
]
