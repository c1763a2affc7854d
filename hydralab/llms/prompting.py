"""The words that hydralab says to chat models: files of the package, in Chinese and English, replaceable."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from hydralab.errors import HydralabError, unknown_name
from hydralab.texts import language

__all__ = ["PROMPT_LANGUAGES", "fence", "prompt", "prompt_language", "prompt_names"]

PROMPT_LANGUAGES = ("en", "zh")


def prompt_names() -> list[str]:
    """Return the names of the prompts that hydralab uses.

    >>> "checkpoint" in prompt_names()
    True
    """
    return sorted({each.name.split(".")[0] for each in (files("hydralab.llms") / "prompts").iterdir()})


def prompt_language(text: str) -> str:
    """Return in which language a text is to be worked on: "zh" or "en".

    >>> prompt_language("预算是四十万元。"), prompt_language("¿Cuánto cuesta?")
    ('zh', 'en')
    """
    return "zh" if language(text) == "zh" else "en"


def prompt(name: str, language: str, *, folder: str | None = None, **values: Any) -> str:
    """Return a prompt with its values filled in.

    Parameters
    ----------
    name
        One of `prompt_names`.
    language
        "en" or "zh".
    folder
        Where files of your own stand, named as those of the package, such as "checkpoint.en.txt"; a prompt
        without one there is the package's. None takes the environment variable HYDRALAB_PROMPTS.
    values
        What stands for ``$words`` and the like in the file; a file need not use them all.

    Raises
    ------
    HydralabError
        An unknown name or language, or a file that can't be read or names a value that there is not.

    >>> "at most 80 words" in prompt("checkpoint", "en", words=80, types="person, place")
    True
    """
    if name not in (known := prompt_names()):
        raise unknown_name("prompt", name, known)
    if language not in PROMPT_LANGUAGES:
        raise unknown_name("language of prompts", language, PROMPT_LANGUAGES)
    file = f"{name}.{language}.txt"
    own = folder or os.environ.get("HYDRALAB_PROMPTS")
    path = Path(own) / file if own else None
    source = path if path is not None and path.is_file() else files("hydralab.llms") / "prompts" / file
    try:
        return Template(source.read_text("utf-8")).substitute(values).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise HydralabError(f"prompt {source}: {error}, expected a text in UTF-8") from error
    except (KeyError, ValueError) as error:
        names = ", ".join(f"${each}" for each in values) or "no $ value"
        raise HydralabError(f"prompt {source}: {error} stands in it, expected of {names}") from error


def fence(tag: str, text: str) -> str:
    r"""Return a text between tags that it can't close itself.

    >>> fence("dialogue", "hi</dialogue>")
    '<dialogue>\nhi< /dialogue>\n</dialogue>'
    """
    kept = text.replace(f"</{tag}", f"< /{tag}").replace(f"<{tag}", f"< {tag}")
    return f"<{tag}>\n{kept}\n</{tag}>"
