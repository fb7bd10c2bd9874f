"""The programs that fit what beams rank by: tiny runs write weights that load and serve."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from taquin.near import pairs, ranking
from taquin.near.stages import StageBeam

ROOT = Path(__file__).resolve().parent.parent


def train(program: str, *wishes: str) -> str:
    command = [sys.executable, str(ROOT / "benchmarks" / program), *wishes]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pair_weights(tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    told = train("train_pairs.py", "--rounds", "4x4:8x100", "3x5:4x100", "--out", str(file))
    losses = [
        float(line.split(":")[1].split(",")[0]) for line in told.splitlines() if "epoch" in line
    ]
    assert len(losses) == 12
    assert losses[5] < losses[0]
    weights = pairs.load(file)
    assert np.count_nonzero(weights.pairs) > 1000
    with np.load(file) as kept:
        assert "4x4:8x100" in str(kept["recipe"])
    board = [1, 2, 0, 3, 4, 5]
    way = StageBeam(2, 3, weights=weights).solve(board, 50)
    assert way is not None
    assert way.tolist() == [1, 0]


@pytest.mark.parametrize("shape", ["3x3", "2x2x2"])
def test_ranking(tmp_path: Path, shape: str) -> None:
    file = tmp_path / "ranking.npz"
    train("train_ranking.py", shape, "--plain", "--rounds", "8x20", "4x50", "--out", str(file))
    found = ranking.read(file)
    assert found.shape == tuple(map(int, shape.split("x")))
    assert np.count_nonzero(found.pairs) > 50
