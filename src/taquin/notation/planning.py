"""Boards as logic: PDDL problems in their four dialects, and ASP atoms.

The dialects differ in how a place is named::

    (at t1 p2 p1) (blank p1 p1) (inc p1 p2)          column, row (``strips-sliding-tile``)
    (at t_1 p_1_2) (empty p_2_2) (neighbor ..)       one name, row and column (``n-puzzle``)
    (tile-at tile5 row1 col2) (is-blank row1 col1)   rows and columns by name
    (at t5 s1) (empty s5) (adj s1 s2)                slots; the edges are the board
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from taquin.board import Board
from taquin.errors import InvalidBoard, ParseError, quote
from taquin.notation.model import Layout, Mark

_TILE = re.compile(r"(?:t|tile|piece|block)[_-]?(\d{1,9})\Z|(\d{1,9})\Z")
_BLANK_TILE = ("blank", "b", "empty", "gap", "hole")
_BLANK_WORD = re.compile(r"blank|empty|gap|hole|free|clear")
_ATOM = re.compile(r"\b([a-z]\w*)\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*,\s*(\w{1,9})\s*\)")
_MAX_ATOMS = 2_000_000

Place = tuple[int, ...]


@dataclass
class Facts:
    """What the atoms of one section say: tiles at places, the blank's place, pairs of places."""

    tiles: dict[int, Place] = field(default_factory=dict)
    blank: Place | None = None
    pairs: list[tuple[Place, Place]] = field(default_factory=list)
    named: bool = False  # the names say which number is the row


def from_text(text: str) -> Iterator[Layout]:
    """Yield the layouts of a PDDL problem or of a set of ASP atoms; none of any other text."""
    if len(text) > 4_000_000:
        return
    if re.search(r"\(\s*:init\b", text, re.IGNORECASE):
        yield from _pddl(text)
    elif len(_ATOM.findall(text[:10_000])) > 1:
        yield from _asp(text)


# -- PDDL ----------------------------------------------------------------------------------------


def _pddl(text: str) -> Iterator[Layout]:
    atoms = _sections(re.sub(r";[^\n]*", "", text).lower())
    facts, aims = _facts(atoms["init"]), _facts(atoms["goal"])
    if not facts.tiles:
        raise ParseError("the :init of this PDDL problem puts no tile at a place: (at t1 p_1_1)")
    if facts.blank is None:
        facts.blank = _free_place(facts)
    places = sorted({*facts.tiles.values(), facts.blank})
    if len(places) != len(facts.tiles) + 1 or len({len(place) for place in places}) != 1:
        raise ParseError(
            f"the :init of this PDDL problem puts {len(facts.tiles)} tiles and a blank on"
            f" {len(places)} places: each needs a place of its own"
        )
    for part in (facts, aims):  # names of another kind are no places
        part.tiles = {t: p for t, p in part.tiles.items() if len(p) == len(places[0])}
        part.pairs = [(a, b) for a, b in part.pairs if len(a) == len(b) == len(places[0])]
        if part.blank is not None and len(part.blank) != len(places[0]):
            part.blank = None
    places, facts, aims, notes = _oriented(places, facts, aims)
    board, shape = _board(places, facts)
    marks = _place_all(places, facts)
    goal, goal_notes = _goal(places, facts, aims, shape)
    yield Layout("pddl", marks, shape, board, goal, (*notes, *goal_notes))


def _sections(text: str) -> dict[str, list[list[str]]]:
    """Return the atoms inside (:init ...) and (:goal ...), without parsing the rest."""
    found: dict[str, list[list[str]]] = {"init": [], "goal": []}
    for name, atoms in found.items():
        head = re.search(rf"\(\s*:{name}\b", text)
        if head is None:
            continue
        depth = 1
        atom: list[str] = []
        for token in re.finditer(r"[()]|[^\s()]+", text[head.end() :]):
            word = token.group()
            if word == "(":
                depth, atom = depth + 1, []
            elif word == ")":
                depth -= 1
                if atom:
                    atoms.append(atom)
                atom = []
                if depth == 0:
                    break
            else:
                atom.append(word)
            if len(atoms) > _MAX_ATOMS:
                raise ParseError(f"the PDDL problem has more than {_MAX_ATOMS:,} atoms")
    return found


def _facts(atoms: list[list[str]]) -> Facts:
    facts = Facts()
    joined = _two_digits(atoms)
    for name, *args in atoms:
        if not 1 <= len(args) <= 3:
            continue
        tile = _TILE.match(args[0])
        facts.named |= name in ("inc", "dec") or (len(args) == 3 and _axis(args[1]) == "row")
        if len(args) > 1 and (tile or args[0] in _BLANK_TILE):
            place = _place(args[1:], joined)
            if not place:
                continue
            if tile is None:
                facts.blank = place
                continue
            label = int(tile.group(1) or tile.group(2))
            if label in facts.tiles and facts.tiles[label] != place:
                raise ParseError(f"tile {label} is at two places: {quote(' '.join([name, *args]))}")
            facts.tiles[label] = place
        elif _BLANK_WORD.search(name) and len(args) <= 2 and _place(args, joined):
            if facts.blank not in (None, _place(args, joined)):
                raise ParseError(f"there are two blanks: {quote(' '.join([name, *args]))}")
            facts.blank = _place(args, joined)
        elif len(args) == 2:
            here, there = _place(args[:1], joined), _place(args[1:], joined)
            if here and there:
                facts.pairs.append((here, there))
    return facts


def _two_digits(atoms: list[list[str]]) -> bool:
    """Whether places are named p11 p12 .. p33: row and column in one number."""
    names = {args[1] for _, *args in atoms if len(args) == 2 and _TILE.match(args[0])}
    inner = [re.findall(r"\d+", name) for name in names]
    if not inner or any(len(found) != 1 or len(found[0]) != 2 for found in inner):
        return False
    rows, columns = {f[0][0] for f in inner}, {f[0][1] for f in inner}
    return len(rows) * len(columns) - len(inner) in (0, 1)


def _place(args: list[str], joined: bool) -> Place:
    """Return (row, column) or (slot,) of one or two names; () if they name no place."""
    inner = [re.findall(r"\d{1,9}", name) for name in args]
    if len(args) == 1:
        numbers = [int(digits) for digits in inner[0]]
        if joined and len(numbers) == 1 and len(inner[0][0]) == 2:
            return numbers[0] // 10, numbers[0] % 10
        return tuple(numbers) if len(numbers) in (1, 2) else ()
    if len(args) != 2 or any(len(found) != 1 for found in inner):
        return ()
    first, second = (int(found[0]) for found in inner)
    return (first, second) if _axis(args[0]) == "row" else (second, first)


def _axis(name: str) -> str:
    """Return "row" for row1, r2, y1, p_y_0; anything else, p1 among it, is a column."""
    letters = re.sub(r"[\d_-]+", " ", name).split()
    last = letters[-1] if letters else ""
    return "row" if last in ("row", "r", "y", "v", "line") else "column"


def _free_place(facts: Facts) -> Place:
    """Return the place that is on some edge but holds no tile."""
    free = {place for pair in facts.pairs for place in pair} - set(facts.tiles.values())
    if len(free) != 1:
        raise ParseError(
            "this PDDL problem does not say where the blank is: (blank ...) or (empty ...)"
        )
    return free.pop()


def _oriented(
    places: list[Place], facts: Facts, aims: Facts
) -> tuple[list[Place], Facts, Facts, tuple[str, ...]]:
    """Turn rows and columns over if only then the goal is in reading order."""
    if len(places[0]) != 2 or facts.named or len(aims.tiles) < 2 or _in_order(aims):
        return places, facts, aims, ()
    bottom = max(row for row, _ in places)
    turns: tuple[tuple[str, Callable[[Place], Place]], ...] = (
        ("columns before rows", lambda p: (p[1], p[0])),
        ("rows counted from below", lambda p: (bottom - p[0], p[1])),
    )
    for note, turn in turns:
        turned = [
            Facts(
                {tile: turn(place) for tile, place in part.tiles.items()},
                turn(part.blank) if part.blank else None,
                [(turn(a), turn(b)) for a, b in part.pairs],
            )
            for part in (facts, aims)
        ]
        if _in_order(turned[1]):
            note = f"places are taken as {note}, since then the goal is in reading order"
            return sorted(turn(place) for place in places), turned[0], turned[1], (note,)
    return places, facts, aims, ()


def _in_order(aims: Facts) -> bool:
    ordered = [place for _, place in sorted(aims.tiles.items())]
    return ordered == sorted(ordered)


def _board(places: list[Place], facts: Facts) -> tuple[Board | None, tuple[int, ...] | None]:
    """Return the board that the edges make, or the size that the names of the places show."""
    index = {place: i for i, place in enumerate(places)}
    edges = {
        (min(index[a], index[b]), max(index[a], index[b]))
        for a, b in facts.pairs
        if a in index and b in index and a != b
    }
    n = len(places)
    shapes = [(r, n // r) for r in range(1, n + 1) if n % r == 0]
    if len(places[0]) == 2:
        rows, columns = {p[0] for p in places}, {p[1] for p in places}
        shapes = [(len(rows), len(columns))] if len(rows) * len(columns) == n else []
    for shape in shapes:
        if edges and edges == set(Board.grid(*shape).edges()):
            return None, shape
    if not edges:
        if len(places[0]) == 2 and not shapes:
            raise ParseError(f"the {n} places of this PDDL problem do not fill a rectangle")
        return None, shapes[0] if len(places[0]) == 2 else None
    try:
        return Board.from_edges(edges, n), None
    except InvalidBoard as error:
        raise ParseError(f"the places of this PDDL problem make no board: {error}") from None


def _place_all(places: list[Place], facts: Facts) -> list[Mark]:
    index = {place: i for i, place in enumerate(places)}
    marks: list[Mark] = [None] * len(places)
    for tile, place in facts.tiles.items():
        marks[index[place]] = tile
    if None in marks and 0 not in facts.tiles:
        marks[marks.index(None)] = 0
    return marks


def _goal(
    places: list[Place], facts: Facts, aims: Facts, shape: tuple[int, ...] | None
) -> tuple[list[Mark] | None, tuple[str, ...]]:
    """Return the goal, completed where only the blank, or one tile and the blank, are left out."""
    tiles = {tile: p for tile, p in aims.tiles.items() if tile in facts.tiles and p in places}
    if aims.blank in places:
        tiles[-1] = aims.blank  # the blank as a piece of its own
    left_out = sorted({*facts.tiles, -1} - set(tiles))
    free = sorted(set(places) - set(tiles.values()))
    if len(left_out) != len(free) or len(left_out) > 2 or not tiles:
        return None, ("the goal leaves several tiles open, so it is not a state",) if tiles else ()
    notes: tuple[str, ...] = ()
    ways = [free[::-1], free] if len(free) == 2 else [free]  # the blank last, if there is a choice
    goals = [{**tiles, **dict(zip(left_out, way, strict=True))} for way in ways]
    if len(goals) == 2:
        if shape is None or min(shape) < 2 or facts.blank is None:
            return None, ("the goal leaves two places open, so it is not a state",)
        start = {**facts.tiles, -1: facts.blank}
        within = [goal for goal in goals if _same_class(start, goal)]
        named = " and ".join("the blank" if tile < 0 else f"tile {tile}" for tile in left_out)
        why = "the one way that can be reached" if len(within) == 1 else "with the blank last"
        notes = (f"the goal leaves {named} open: filled in {why}",)
        goals = within or goals
    whole = Facts({t: p for t, p in goals[0].items() if t >= 0}, goals[0][-1])
    return _place_all(places, whole), notes


def _same_class(start: dict[int, Place], goal: dict[int, Place]) -> bool:
    """Whether two arrangements of a grid of two or more rows and columns reach each other.

    A move swaps the blank with a tile and changes the colour of the blank's cell, so the parity
    of the permutation and the colour change together (Johnson & Story 1879).
    """
    follow = {start[tile]: goal[tile] for tile in start}
    parity, seen = 0, set()
    for place in follow:
        length = 0
        while place not in seen:
            seen.add(place)
            place = follow[place]
            length += 1
        parity ^= (length - 1) & 1 if length else 0
    return parity == sum(a - b for a, b in zip(start[-1], goal[-1], strict=True)) % 2


# -- ASP -----------------------------------------------------------------------------------------


def _asp(text: str) -> Iterator[Layout]:
    """Read atoms name(row, column, label); a second name gives the goal."""
    groups: dict[str, dict[Place, str]] = {}
    for name, row, column, label in _ATOM.findall(re.sub(r"%[^\n]*", "", text)):
        groups.setdefault(name, {})[int(row), int(column)] = label
    whole: dict[str, tuple[tuple[int, ...], list[Mark]]] = {}
    for name, cells in groups.items():
        rows, columns = {p[0] for p in cells}, {p[1] for p in cells}
        if len(cells) > 1 and len(rows) * len(columns) == len(cells):
            marks: list[Mark] = [cells[place] for place in sorted(cells)]
            whole[name] = ((len(rows), len(columns)), marks)
    if not whole:
        if groups:
            name, cells = max(groups.items(), key=lambda item: len(item[1]))
            raise ParseError(
                f"the {len(cells)} atoms {name}(row, column, label) do not fill a rectangle"
            )
        return
    names = list(whole)
    start = next((n for n in names if re.search(r"0$|start|init", n)), names[0])
    aims = [n for n in names if n != start and whole[n][0] == whole[start][0]]
    goal = next((n for n in aims if re.search(r"goal|_t$|final|end", n)), aims[0] if aims else None)
    notes = (f"the goal is taken from the atoms {goal}(...)",) if goal else ()
    shape, marks = whole[start]
    yield Layout("asp", marks, shape, goal=whole[goal][1] if goal else None, notes=notes)
