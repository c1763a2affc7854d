"""What the planted contexts are made of: ten topics of about sixty-five tokens, and twenty things with codes."""

from __future__ import annotations

__all__ = ["THINGS", "TOPICS"]

TOPICS: tuple[tuple[str, str, str, str], ...] = (
    (
        "Garden plan",
        "The beds along the wall get herbs this spring, and the roses move to the sunny corner behind the shed.",
        "Everyone agreed to water in the evening, since the morning sun is too strong for the young plants.",
        "Compost comes from the neighbours, two barrows of it.",
    ),
    (
        "Trip to the coast",
        "We take the early train on Friday and walk from the station to the small hotel near the harbour.",
        "If it rains we visit the museum of boats, and the long walk over the cliffs moves to Sunday.",
        "Warm coats are needed even when the sun is out.",
    ),
    (
        "New kitchen",
        "The oak table stays where it is, but the old cupboards go and open shelves take their place.",
        "The painter prefers a warm white for the walls and a dark green for the door to the hall.",
        "Lamps are chosen last, once the shelves are up.",
    ),
    (
        "Choir evening",
        "Rehearsals start after the holidays, and the older singers asked for larger print in their books.",
        "The second half is folk songs, with a pause for tea, and the audience joins in at the end.",
        "Somebody should ask the baker about the small rolls.",
    ),
    (
        "Team move",
        "Our desks go to the second floor, next to the windows, and the printer finds a place in the corridor.",
        "The quiet room is kept for phone calls, and plants from the old office come along in one van.",
        "Lunch is eaten together on the first day.",
    ),
    (
        "School fair",
        "Parents bake the cakes, the older children run the games, and the band plays in the yard at noon.",
        "What is earned goes to new books for the library, which has had the same shelves for years.",
        "Tables are carried out early, while the yard is empty.",
    ),
    (
        "Running club",
        "The group meets by the bridge on Tuesdays and takes the flat path along the river for the first weeks.",
        "Later the route climbs through the forest, and whoever is tired turns back at the wooden hut.",
        "Newcomers are welcome and borrow a bright vest.",
    ),
    (
        "Bicycle repair",
        "The chain was worn, so both wheels came off, and the brakes were cleaned and fitted with new pads.",
        "The saddle is a little higher now, and the bell, which had been silent all winter, rings again.",
        "A drop of oil every month keeps all of it quiet.",
    ),
    (
        "Film night",
        "We watch the old comedy first and the documentary about whales afterwards, with soup in between.",
        "The projector hums, so it stands in the next room, and cushions are brought by everyone who comes.",
        "Lights go out as soon as the last guest is seated.",
    ),
    (
        "Moving the archive",
        "Letters are sorted by year and photographs by place, and fragile maps are kept flat between boards.",
        "A student helps in the afternoons and writes down what each box holds before it leaves the cellar.",
        "Nothing damp is packed, and gloves are worn throughout.",
    ),
)
"""Title, text before the planted sentence, and two texts after it."""

THINGS: tuple[str, ...] = (
    "storage room",
    "side gate",
    "bicycle cellar",
    "blue cabinet",
    "projector case",
    "boat house",
    "music room",
    "garage door",
    "letter box",
    "tool chest",
    "guest flat",
    "server closet",
    "roof terrace",
    "spare locker",
    "wine cellar",
    "staff entrance",
    "parking barrier",
    "piano lid",
    "green safe",
    "night desk",
)
