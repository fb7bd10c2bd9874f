"""A certain solution for any grid or box, fast: the classical proof turned into a procedure.

`construct` joins two states of one class, stage by stage; `canonical` joins a state with the
representative of its class.
"""

from taquin.construct.procedure import canonical, construct
from taquin.construct.stages import SENTENCES, WORDS, Construction, Stage

__all__ = ["SENTENCES", "WORDS", "Construction", "Stage", "canonical", "construct"]
