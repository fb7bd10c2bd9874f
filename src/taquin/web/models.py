"""What may be asked, and how large it may be."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Spec = Annotated[str, Field(min_length=1, max_length=2_000)]
Text = Annotated[str, Field(max_length=100_000)]
Tiles = Annotated[list[Annotated[int, Field(ge=-1, le=10_000)]], Field(max_length=10_000)]
Board = Text | Tiles
Lang = Literal["en", "vi", "zh"]
Notation = Literal["blank", "tile", "tiles", "cells", "words", "rle"]
Depth = Annotated[int, Field(ge=0, le=1_000)]


class Question(BaseModel):
    """The base of all: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Read(Question):
    """A text to be read as a board."""

    text: Text
    puzzle: Spec | None = None


class Check(Question):
    """A board to be checked."""

    board: Board
    puzzle: Spec | None = None
    to: Board | None = None
    lang: Lang = "en"


class Moves(Question):
    """Moves to be written in another notation."""

    puzzle: Spec
    board: Board
    moves: Text
    given: Notation = Field("blank", alias="from")
    to: Notation


class Shuffle(Question):
    """A board to be dealt."""

    puzzle: Spec
    seed: Annotated[int, Field(ge=0, le=2**53)] | None = None
    depth: Depth | None = None
    low: Depth | None = Field(None, alias="min")
    high: Depth | None = Field(None, alias="max")


class Position(Question):
    """A state of a puzzle."""

    puzzle: Spec
    board: Board


class Solve(Question):
    """A board to be solved."""

    board: Board
    puzzle: Spec | None = None
    to: Board | None = None
    metric: Literal["stm", "mtm"] | None = None
    quality: Literal["fast", "good"] | None = None
    time_limit: Annotated[float, Field(gt=0, le=60)] | None = None
    every: bool = Field(False, alias="all")
