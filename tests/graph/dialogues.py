"""Small dialogues for the tests of the graph."""

from hydralab.frames import build


def turns_of(*texts, roles=(), speakers=(), dialogue="a"):
    return build(
        "turns",
        [
            {
                "dialogue_id": dialogue,
                "turn_id": f"{dialogue}:{at}",
                "position": at,
                "round": at,
                "role": roles[at] if roles else "user",
                "speaker": speakers[at] if speakers else None,
                "text": text,
                "tokens": 9,
            }
            for at, text in enumerate(texts)
        ],
    )
