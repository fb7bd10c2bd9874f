"""The audit of the bounds finds nothing on small boards, and finds what is planted."""

from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from taquin.puzzle import Puzzle
from taquin.space import depth_counts


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    path = Path(__file__).resolve().parent.parent / "benchmarks" / "audit_patterns.py"
    spec = spec_from_file_location("audit_patterns", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("spec", ["3x3", "3x3:mtm", "2x4", "3x3:torus", "3x3:blank-first:mtm"])
def test_every_state_is_looked_at_and_no_bound_is_too_high(
    audit: ModuleType, spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle = Puzzle.parse(spec)
    held = audit.Audit(puzzle)
    depths = held.depths[held.known]
    assert tuple(np.bincount(depths)) == depth_counts(puzzle)
    held.segments() if puzzle.metric == "mtm" else held.partitions()
    assert "never above the depth" in capsys.readouterr().out


@pytest.mark.parametrize("spec", ["3x3", "3x3:mtm"])
def test_a_single_value_too_high_is_found(
    audit: ModuleType, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = audit.decoded

    def spoilt(*wishes: object) -> object:
        view = original(*wishes)
        legal = np.argwhere(view.values < audit.NO_VALUE)
        deepest = max(map(tuple, legal), key=lambda at: view.values[at])
        view.values[deepest] += 20
        return view

    monkeypatch.setattr(audit, "decoded", spoilt)
    held = audit.Audit(Puzzle.parse(spec))
    with pytest.raises(SystemExit, match="bound"):
        held.segments() if spec.endswith("mtm") else held.partitions()


def test_numbers_of_arrangements(audit: ModuleType) -> None:
    labels = np.zeros(audit.CELLS, np.int64)
    for n, k in ((5, 5), (6, 3), (4, 1), (7, 2)):
        for number, expected in enumerate(permutations(range(n), k)):
            audit._unrank(number, n, k, labels)
            assert tuple(labels[:k]) == expected
            assert audit._rank(labels, n, k) == number
