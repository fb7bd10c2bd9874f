"""Every written form of boards and of move sequences, in and out.

`read` guesses the form and says what it guessed; `read_many` reads whole files; `write` writes
any of `FORMS`. `read_moves` and `write_moves` do the same for moves, in any of `MOVE_FORMS`.
"""

from taquin.notation.many import read_many
from taquin.notation.model import Reading
from taquin.notation.moves import (
    MOVE_FORMS,
    follow,
    invert,
    merge,
    moves_length,
    read_moves,
    reduced,
    write_moves,
)
from taquin.notation.reading import read
from taquin.notation.writing import FORMS, Form, write

__all__ = [
    "FORMS",
    "MOVE_FORMS",
    "Form",
    "Reading",
    "follow",
    "invert",
    "merge",
    "moves_length",
    "read",
    "read_many",
    "read_moves",
    "reduced",
    "write",
    "write_moves",
]
