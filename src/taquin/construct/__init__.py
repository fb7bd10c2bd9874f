"""A certain solution for any board, fast: the classical proofs turned into procedures.

`construct` joins two states of one class, stage by stage; `canonical` joins a state with the
representative of its class. Grids and boxes are filled slab by slab; boards with walls and all
other graphs block by block, and each block ear by ear.
"""

from taquin.construct.procedure import canonical, construct
from taquin.construct.stages import SENTENCES, WORDS, Construction, Stage

__all__ = ["SENTENCES", "WORDS", "Construction", "Stage", "canonical", "construct"]
