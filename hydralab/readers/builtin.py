"""Importing this module files every reader that comes with hydralab."""

from hydralab.readers import (
    chatgpt,
    claude_code,
    claude_web,
    columns,
    librechat,
    native,
    oasst,
    openai_messages,
    openwebui,
    sharegpt,
    slack,
)

__all__ = [
    "chatgpt",
    "claude_code",
    "claude_web",
    "columns",
    "librechat",
    "native",
    "oasst",
    "openai_messages",
    "openwebui",
    "sharegpt",
    "slack",
]
