"""The entities of a dialogue and what relates them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hydralab.errors import HydralabError, brief, check_value, unknown_name
from hydralab.graph import RELATION_LABELS
from hydralab.plots.figures import axes_or_new, legend_above, note, shorten
from hydralab.theme import INK, SERIES, plot_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from networkx import Graph, MultiDiGraph

__all__ = ["plot_graph"]

MOST = 30
"""Entities that a figure has room for."""

HOPS = 2
"""How far from the entity that the figure is about others are shown."""

ROOM, FLATNESS = 1.5, 0.6
"""Width of the room of a part, times the root of its entities, and its height beside the width."""

MARGIN = np.array([0.9, 0.5])
"""Room around a part for names, in the same units."""

ROUNDS = 200

CO_MENTION = "mentioned_with"

KIND_COLOURS: Mapping[str, str] = MappingProxyType(
    dict(zip(("person", "organisation", "place", "product", "thing"), SERIES, strict=False))
)
"""Type of entity → colour; whatever is another is drawn as a thing."""

Places = dict[str, NDArray[np.float64]]


def plot_graph(
    graph: MultiDiGraph, *, about: str | None = None, most: int = MOST, ax: Axes | None = None
) -> Axes:
    """Draw the graph of a dialogue: entities by type, stated relations as arrows, common mentions as lines.

    Parameters
    ----------
    graph
        What `lab.graph()` returns.
    about
        Show this entity and what is at most two relations away; the most related entities when None.
    most
        Entities to show; those with stated relations come first, then those with the most relations.
    ax
        Where to draw; a figure of its own when None.

    Raises
    ------
    HydralabError
        It is no networkx graph, or has no entity of that name.

    >>> import hydralab as hl
    >>> ax = plot_graph(hl.Lab(hl.read_all(hl.example("launch_zh"))).graph())
    >>> ax.get_legend() is not None
    True
    """
    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise HydralabError(f"plot_graph: graph is {brief(graph)}, expected what lab.graph() returns")
    check_value("plot_graph: most", most, "int", least=1)
    check_value("plot_graph: about", about, "str | None")
    if about is not None and about not in graph:
        raise unknown_name("entity", about, list(graph.nodes))
    shown = _shown(graph, about, most)
    with plot_style(shown.nodes):
        ax = axes_or_new(ax, 9, 5.6)
        ax.set_axis_off()
        if not shown.number_of_nodes():
            note(ax, "no related entities")
            return ax
        places = _places(shown)
        _draw_edges(ax, graph, shown, places)
        _draw_nodes(ax, shown, places)
        ax.margins(0.12, 0.12)
        legend_above(ax)
    return ax


def _shown(graph: MultiDiGraph, about: str | None, most: int) -> Graph:
    """Return the entities to show as a plain graph; an edge has the number of turns that make it."""
    import networkx as nx

    plain = nx.Graph()
    for source, target, kind in graph.edges(data="type"):
        if plain.has_edge(source, target):
            plain[source][target]["turns"] += 1
        else:
            plain.add_edge(source, target, turns=1, stated=False)
        plain[source][target]["stated"] |= kind != CO_MENTION
    if about is not None:
        plain.add_node(about)
        plain = plain.subgraph(nx.single_source_shortest_path_length(plain, about, cutoff=HOPS))
    stated = {name for pair in plain.edges if plain.edges[pair]["stated"] for name in pair}
    order = sorted(plain, key=lambda name: (name != about, name not in stated, -plain.degree(name), name))
    chosen = plain.subgraph(order[:most]).copy()
    if about is None:
        chosen.remove_nodes_from([name for name in order[:most] if not chosen.degree(name)])
    nx.set_node_attributes(chosen, {name: graph.nodes[name].get("type", "thing") for name in chosen}, "type")
    return chosen


def _places(shown: Graph) -> Places:
    """Return where each entity stands: every connected part by itself, the parts side by side on shelves."""
    import networkx as nx

    parts = sorted(nx.connected_components(shown), key=lambda part: (-len(part), min(part)))
    widths = [ROOM * sqrt(len(part)) for part in parts]
    row_width = max(widths[0], 1.25 * sqrt(sum(width**2 for width in widths)))
    places: Places = {}
    left = top = height = 0.0
    for part, width in zip(parts, widths, strict=True):
        if left and left + width > row_width:
            left, top, height = 0.0, top - height, 0.0
        corner = np.array([left, top - FLATNESS * width])
        inner = np.array([width, FLATNESS * width]) - MARGIN
        places |= {
            name: corner + MARGIN / 2 + place * inner for name, place in _laid_out(shown, part).items()
        }
        left, height = left + width, max(height, FLATNESS * width)
    return places


def _laid_out(shown: Graph, part: Set[str]) -> Places:
    """Return places of connected entities in a box of 1 × 1."""
    import networkx as nx

    if len(part) == 2:
        return dict(zip(sorted(part), np.array([[0.0, 0.5], [1.0, 0.5]]), strict=True))
    names = sorted(part)
    ways = nx.floyd_warshall_numpy(shown.subgraph(names), nodelist=names, weight=None)
    rows = _by_distances(np.asarray(ways))
    low, high = rows.min(axis=0), rows.max(axis=0)
    return dict(zip(names, (rows - low) / np.maximum(high - low, 1e-9), strict=True))


def _by_distances(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places whose distances are as near to the given ones as can be: (n, 2).

    By majorising the stress (de Leeuw 1977) from the places of classical scaling. The layout of networkx that
    does it, by Kamada and Kawai, needs SciPy; those by springs fold long chains.
    """
    count = len(distances)
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    places = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-3))
    # Entities that stand alike to all others would stand in one spot for ever.
    places = places + 0.05 * np.column_stack([np.cos(np.arange(count)), np.sin(np.arange(count))])
    for _ in range(ROUNDS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        pull = -distances / np.maximum(apart, 1e-9)
        np.fill_diagonal(pull, 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        places = pull @ places / count
    return places


def _draw_edges(ax: Axes, graph: MultiDiGraph, shown: Graph, places: Places) -> None:
    for one, other, about in shown.edges(data=True):
        if not about["stated"]:
            (x, y), (to_x, to_y) = places[one], places[other]
            ax.plot(
                [x, to_x],
                [y, to_y],
                color=INK,
                alpha=0.45,
                linewidth=0.6 + 0.4 * min(about["turns"], 6),
                zorder=1,
            )
    for (source, target), kinds in _stated(graph, shown).items():
        arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.2, "shrinkA": 6, "shrinkB": 6}
        ax.annotate("", xy=_point(places[target]), xytext=_point(places[source]), arrowprops=arrow, zorder=2)
        across, up = np.abs(places[target] - places[source])
        steep = up > across
        label = ax.annotate(
            ", ".join(kinds), _point((places[source] + places[target]) / 2), xytext=(4, 0) if steep else (0, 2),
            textcoords="offset points", ha="left" if steep else "center", va="center" if steep else "bottom",
            fontsize=7.5, style="italic", zorder=3,
        )  # fmt: skip
        label.set_in_layout(False)


def _stated(graph: MultiDiGraph, shown: Graph) -> dict[tuple[str, str], list[str]]:
    told: dict[tuple[str, str], list[str]] = {}
    for source, target, about in graph.edges(data=True):
        if about["type"] == CO_MENTION or source not in shown or target not in shown:
            continue
        label = f"{about['manner']} of" if about["manner"] else RELATION_LABELS[about["type"]][0]
        if label not in told.setdefault((source, target), []):
            told[source, target].append(label)
    return told


def _draw_nodes(ax: Axes, shown: Graph, places: Places) -> None:
    for kind, colour in KIND_COLOURS.items():
        names = [name for name, own in shown.nodes(data="type") if _kind(own) == kind]
        if not names:
            continue
        at = np.array([places[name] for name in names])
        sizes = [30 + 14 * min(shown.degree(name), 10) for name in names]
        ax.scatter(at[:, 0], at[:, 1], s=sizes, color=colour, label=kind, zorder=4)
    for name, place in places.items():
        label = ax.annotate(
            shorten(name, 22), _point(place), xytext=(0, 7), textcoords="offset points", ha="center", va="bottom",
            fontsize=8.5, zorder=5,
        )  # fmt: skip
        label.set_in_layout(False)


def _point(place: NDArray[np.float64]) -> tuple[float, float]:
    return float(place[0]), float(place[1])


def _kind(kind: Any) -> str:
    return kind if kind in KIND_COLOURS else "thing"
