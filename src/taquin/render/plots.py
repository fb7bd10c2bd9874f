"""Curves, drawn with Matplotlib (the extra ``plot``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from taquin.errors import Unsupported

if TYPE_CHECKING:
    from taquin.space import Space


def depth_curve(space: Space, path: Path | str) -> None:
    """Write a picture of how many states each depth has; its format follows the file's name.

    Raises
    ------
    Unsupported
        Without Matplotlib, or if it does not know the format.
    OSError
        If the file cannot be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise Unsupported(
            "a plot needs Matplotlib, which is not installed: pip install 'taquin[plot]'"
        ) from None
    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.bar(range(space.radius + 1), space.depth_counts, color="#3465a4", width=0.9)
    if space.complete:
        mean = space.mean_depth
        axes.axvline(mean, color="#cc0000", linewidth=1, label=f"mean {mean:.2f}")
        axes.legend(frameon=False)
    moves = "single-tile moves" if space.puzzle.metric == "stm" else "multi-tile moves"
    axes.set_xlabel(f"distance from the goal, {moves}")
    axes.set_ylabel("states")
    axes.set_title(f"{space.puzzle.board.spec}: {space.states:,} states")
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path)
    except ValueError as error:
        raise Unsupported(f"cannot draw {Path(path).name}: {error}") from None
