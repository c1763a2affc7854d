"""A reader for scripts of plays: a line is `NAME: what is said`, the first line is `PLAY title`."""

from collections.abc import Iterator
from dataclasses import dataclass

from hydralab.readers import DialogueRecord, Failure, TurnRecord
from hydralab.readers.looks import Look
from hydralab.readers.sources import Source


@dataclass(frozen=True)
class PlayScript:
    """Scripts of plays; `narrator` is who speaks for nobody."""

    narrator: str = "NARRATOR"

    def sniff(self, look: Look) -> float:
        """Certain when the first line says so."""
        return 1.0 if look.kind == "text" and look.lines[0].startswith("PLAY ") else 0.0

    def dialogues(self, source: Source) -> Iterator[DialogueRecord | Failure]:
        """Yield the play."""
        lines = iter(source.lines())
        title = next(lines)[1].removeprefix("PLAY ")
        turns = []
        for number, line in lines:
            speaker, colon, said = line.partition(": ")
            if colon:
                role = "system" if speaker == self.narrator else "user"
                turns.append(TurnRecord(role, said, speaker))
            elif line:
                yield Failure("nobody speaks", line=number)
        yield DialogueRecord(turns, title=title)
