"""Curves, drawn with Matplotlib (the extra ``plot``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taquin.errors import Unsupported

if TYPE_CHECKING:
    from taquin.space import Space

BLUE = "#3465a4"
#: States of a depth whose heuristics are looked at.
SAMPLED = 200


def depth_curve(space: Space, path: Path | str) -> None:
    """Write a picture of how many states each depth has; its format follows the file's name.

    Raises
    ------
    Unsupported
        Without Matplotlib, or if it does not know the format.
    OSError
        If the file cannot be written.
    """
    figure, axes = _empty()
    axes.bar(range(space.radius + 1), space.depth_counts, color=BLUE, width=0.9)
    if space.complete:
        mean = space.mean_depth
        axes.axvline(mean, color="#cc0000", linewidth=1, label=f"mean {mean:.2f}")
        axes.legend(frameon=False)
    moves = "single-tile moves" if space.puzzle.metric == "stm" else "multi-tile moves"
    axes.set_xlabel(f"distance from the goal, {moves}")
    axes.set_ylabel("states")
    axes.set_title(f"{space.puzzle.board.spec}: {space.states:,} states")
    _save(figure, axes, path)


def degree_picture(space: Space, path: Path | str) -> None:
    """Write a picture of how many states have how many moves; errors as in `depth_curve`."""
    figure, axes = _empty()
    kinds = space.kinds
    places = range(len(kinds))
    axes.bar(places, [kind.states for kind in kinds], color=BLUE, width=0.7)
    names = [f"{kind.name}\n{kind.moves} moves" for kind in kinds]
    axes.set_xticks(list(places), names)
    axes.set_ylabel("states")
    axes.set_title(f"{space.puzzle.board.spec}: mean degree {space.mean_degree:.4f}")
    _save(figure, axes, path)


def heuristic_picture(space: Space, names: Sequence[str], path: Path | str) -> None:
    """Write a picture of heuristics against true depths; errors as in `depth_curve`.

    For each depth the mean over up to 200 of its states, drawn with a fixed seed.

    Parameters
    ----------
    names : sequence of str
        Of `taquin.heuristics.HEURISTICS`.
    """
    import random

    from taquin.heuristics import heuristic

    figure, axes = _empty()
    rng = random.Random(0)
    depths = range(space.radius + 1)
    states = [
        space.samples(depth, min(SAMPLED, space.depth_counts[depth]), rng) for depth in depths
    ]
    for name in names:
        value = heuristic(name, space.puzzle.goal, space.puzzle.metric)
        means = [sum(map(value, some)) / len(some) for some in states]
        axes.plot(depths, means, marker="o", markersize=3, label=name)
    axes.plot(depths, depths, color="#888a85", linewidth=1, linestyle="--", label="true depth")
    axes.legend(frameon=False)
    axes.set_xlabel("depth")
    axes.set_ylabel("heuristic, mean")
    _save(figure, axes, path)


def quality_curves(
    curves: Mapping[str, Sequence[tuple[float, float]]], path: Path | str, of: str = "reference"
) -> None:
    """Write curves of (seconds, length by what it is compared with); errors as in `depth_curve`."""
    figure, axes = _empty()
    for name, points in curves.items():
        seconds, ratios = zip(*points, strict=True)
        axes.plot(seconds, ratios, marker="o", markersize=4, label=name)
    axes.set_xscale("log")
    axes.set_xlabel("seconds a board")
    axes.set_ylabel(f"length / {of}")
    axes.legend(frameon=False)
    _save(figure, axes, path)


def _empty() -> tuple[Any, Any]:
    """A figure with one set of axes."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise Unsupported(
            "a plot needs Matplotlib, which is not installed: pip install 'taquin[plot]'"
        ) from None
    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _save(figure: Any, axes: Any, path: Path | str) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path)
    except ValueError as error:
        raise Unsupported(f"cannot draw {Path(path).name}: {error}") from None
