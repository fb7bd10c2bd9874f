// Boards and moves, without the server. Cells are numbered in reading order, the blank is 0, and
// the letters U L R D F B say the way the BLANK goes, as everywhere in taquin.

/** The ways in the order of the neighbours: letter, axis counted from the last, step. */
const WAYS = [
  ['U', 2, -1],
  ['L', 1, -1],
  ['R', 1, 1],
  ['D', 2, 1],
  ['F', 3, -1],
  ['B', 3, 1],
];

export const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L', F: 'B', B: 'F' };

/** A grid of two or three axes, or a torus. */
export class Grid {
  constructor(shape, torus = false) {
    this.shape = shape;
    this.torus = torus && shape.some((length) => length > 2);
    this.n = shape.reduce((product, length) => product * length, 1);
    this.strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    this.letters = WAYS.filter(([, back]) => back <= shape.length).map(([letter]) => letter);
  }

  get spec() {
    return this.shape.join('x') + (this.torus ? ':torus' : '');
  }

  /** Layers, rows and columns; one layer on a flat board. */
  get sizes() {
    return [...Array(3 - this.shape.length).fill(1), ...this.shape];
  }

  coordinates(cell) {
    return this.shape.map((length, axis) => Math.floor(cell / this.strides[axis]) % length);
  }

  /** Layer, row and column of a cell. */
  place(cell) {
    return [...Array(3 - this.shape.length).fill(0), ...this.coordinates(cell)];
  }

  /** The cell that the blank reaches from `cell` by a letter, or null at the border. */
  step(cell, letter) {
    const [, back, step] = WAYS.find(([name]) => name === letter);
    const axis = this.shape.length - back;
    if (axis < 0) return null;
    const [here, length] = [this.coordinates(cell)[axis], this.shape[axis]];
    let there = here + step;
    if (there < 0 || there >= length) {
      if (!this.torus || length <= 2) return null;
      there = (there + length) % length;
    }
    return cell + (there - here) * this.strides[axis];
  }

  /** [letter, cell] of every move from `cell`. */
  neighbours(cell) {
    return this.letters
      .map((letter) => [letter, this.step(cell, letter)])
      .filter(([, to]) => to !== null);
  }

  /** The letter of the step between two neighbouring cells, or null. */
  letter(from, to) {
    return this.neighbours(from).find(([, cell]) => cell === to)?.[0] ?? null;
  }

  /**
   * The cells that the blank visits on a straight way to `cell`, the shorter one on a torus; null
   * if `cell` does not lie in one line with it.
   */
  line(blank, cell) {
    const ways = this.letters.map((letter) => this.#straight(blank, cell, letter)).filter(Boolean);
    return ways.sort((a, b) => a.length - b.length)[0] ?? null;
  }

  #straight(blank, cell, letter) {
    const walk = [];
    for (
      let at = this.step(blank, letter);
      at !== null && at !== blank;
      at = this.step(at, letter)
    ) {
      walk.push(at);
      if (at === cell) return walk;
    }
    return null;
  }

  /** Steps between two cells. */
  distance(start, end) {
    const [from, to] = [this.coordinates(start), this.coordinates(end)];
    return this.shape.reduce((sum, length, axis) => {
      const gap = Math.abs(from[axis] - to[axis]);
      return sum + (this.torus && length > 2 ? Math.min(gap, length - gap) : gap);
    }, 0);
  }

  /** Whether the cells can be coloured like a chess board. */
  get coloured() {
    return !this.torus || this.shape.every((length) => length <= 2 || length % 2 === 0);
  }
}

// -- puzzles -----------------------------------------------------------------------------------

/** The usual goals: the order in which the cells receive 1, 2, ... and, last, the blank. */
const GOALS = {
  'blank-last': (grid) => [...Array(grid.n).keys()],
  'blank-first': (grid) => [...Array(grid.n).keys()].slice(1).concat(0),
  spiral: (grid) => (grid.shape.length === 2 ? spiral(...grid.shape) : null),
  snake: (grid) => (grid.shape.length === 2 ? snake(...grid.shape) : null),
  columns: (grid) => columns(grid),
  reversed: (grid) => [...Array(grid.n - 1).keys()].reverse().concat(grid.n - 1),
};

function snake(height, width) {
  const row = (r) =>
    Array.from({ length: width }, (_, c) => r * width + (r % 2 ? width - 1 - c : c));
  return Array.from({ length: height }, (_, r) => row(r)).flat();
}

function spiral(height, width) {
  const free = new Set(Array(height * width).keys());
  const turns = [
    [0, 1],
    [1, 0],
    [0, -1],
    [-1, 0],
  ];
  const order = [];
  let [row, column, turn] = [0, 0, 0];
  while (free.size) {
    order.push(row * width + column);
    free.delete(row * width + column);
    const ahead = ([dr, dc]) => [row + dr, column + dc];
    const open = ([r, c]) => c >= 0 && c < width && free.has(r * width + c);
    if (!open(ahead(turns[turn]))) turn = (turn + 1) % 4;
    [row, column] = ahead(turns[turn]);
  }
  return order;
}

function columns(grid) {
  let order = [0];
  grid.shape.forEach((length, axis) => {
    const lines = Array.from({ length }, (_, at) => at * grid.strides[axis]);
    order = lines.flatMap((offset) => order.map((cell) => cell + offset));
  });
  return order;
}

/** The names of the usual goals that have a meaning on a grid. */
export function goalNames(grid) {
  return Object.keys(GOALS).filter((name) => GOALS[name](grid));
}

/** The tiles of a usual goal, or null if it has no meaning on the grid. */
export function namedGoal(grid, name) {
  const order = GOALS[name]?.(grid);
  if (!order) return null;
  const tiles = Array(grid.n).fill(0);
  order.slice(0, -1).forEach((cell, i) => (tiles[cell] = i + 1));
  return tiles;
}

/** The name of a goal, or its tiles as text if it is no usual one. */
export function goalText(grid, tiles) {
  return goalNames(grid).find((name) => same(namedGoal(grid, name), tiles)) ?? tiles.join(' ');
}

/**
 * Read a puzzle's text such as "4x4:torus:snake:mtm"; null if it is no grid of two or three axes
 * with a usual goal or a goal written as numbers.
 */
export function parsePuzzle(spec) {
  const [size, ...parts] = spec.trim().toLowerCase().split(':');
  if (!/^\d+(x\d+){1,2}$/.test(size)) return null;
  const take = (test) => {
    const at = parts.findIndex(test);
    return at < 0 ? null : parts.splice(at, 1)[0];
  };
  const torus = take((part) => part === 'torus') !== null;
  const grid = new Grid(size.split('x').map(Number), torus);
  const metric = take((part) => part === 'mtm' || part === 'stm') ?? 'stm';
  const goalName = parts.length ? parts[0] : 'blank-last';
  const goal = namedGoal(grid, goalName) ?? readTiles(goalName, grid.n);
  if (!goal || parts.length > 1) return null;
  return { grid, goal, goalName, metric, spec: puzzleSpec(grid, goalName, metric) };
}

/** The text that `parsePuzzle` and the library read. */
export function puzzleSpec(grid, goalName = 'blank-last', metric = 'stm') {
  const parts = [grid.spec, goalName !== 'blank-last' && goalName, metric !== 'stm' && metric];
  return parts.filter(Boolean).join(':');
}

/** Tiles from numbers with anything between them; null unless they are 0..n-1, each once. */
export function readTiles(text, n) {
  const tiles = (text.match(/\d+/g) ?? []).map(Number);
  const whole = tiles.length === n && new Set(tiles).size === n && Math.max(...tiles) === n - 1;
  return whole ? tiles : null;
}

// -- moves -------------------------------------------------------------------------------------

/** The tiles after the blank has walked over `cells`. */
export function walked(tiles, cells) {
  const next = [...tiles];
  let blank = next.indexOf(0);
  for (const cell of cells) {
    [next[blank], next[cell]] = [next[cell], 0];
    blank = cell;
  }
  return next;
}

/** The cells that the blank visits by letters from `blank`; null if one leads off the board. */
export function walkOf(grid, blank, letters) {
  const walk = [];
  for (const letter of letters) {
    const cell = grid.step(walk.at(-1) ?? blank, letter);
    if (cell === null) return null;
    walk.push(cell);
  }
  return walk;
}

/** The letters of a walk of the blank. */
export function lettersOf(grid, blank, walk) {
  return walk.map((cell, i) => grid.letter(i ? walk[i - 1] : blank, cell)).join('');
}

/** How many line moves (multi-tile metric) a text of letters makes: its runs. */
export function lineMoves(letters) {
  return (letters.match(/(.)\1*/g) ?? []).length;
}

export function same(a, b) {
  return a.length === b.length && a.every((tile, cell) => tile === b[cell]);
}

// -- solvability -------------------------------------------------------------------------------

/** Pairs of tiles in the wrong order, seen from the goal's reading order, as pairs of cells. */
export function inversionPairs(tiles, goal) {
  const home = new Map(goal.filter(Boolean).map((tile, place) => [tile, place]));
  const cells = tiles.map((_, cell) => cell).filter((cell) => tiles[cell] !== 0);
  const wrong = (a, b) => home.get(tiles[a]) > home.get(tiles[b]);
  return cells.flatMap((a, i) =>
    cells
      .slice(i + 1)
      .filter((b) => wrong(a, b))
      .map((b) => [a, b]),
  );
}

/** The parity (0 or 1) of the permutation that leads from `goal` to `tiles`, by its cycles. */
export function parity(tiles, goal) {
  const home = new Map(goal.map((tile, cell) => [tile, cell]));
  const seen = new Set();
  let cycles = 0;
  for (let start = 0; start < tiles.length; start++) {
    if (!seen.has(start)) cycles++;
    for (let cell = start; !seen.has(cell); cell = home.get(tiles[cell])) seen.add(cell);
  }
  return (tiles.length - cycles) % 2;
}

/** Whether `tiles` can reach `goal`: a ring turns, and elsewhere two parities must agree. */
export function solvable(grid, tiles, goal) {
  if (Math.min(...grid.shape) === 1 && !grid.torus) return same(order(tiles), order(goal));
  if (grid.n === 4) return isRotation(around(tiles), around(goal));
  if (!grid.coloured) return true;
  return parity(tiles, goal) === grid.distance(tiles.indexOf(0), goal.indexOf(0)) % 2;
}

const order = (tiles) => tiles.filter(Boolean);
const around = (tiles) => order([tiles[0], tiles[1], tiles[3], tiles[2]]);
const isRotation = (a, b) => ` ${a.join(' ')} ${a.join(' ')} `.includes(` ${b.join(' ')} `);

// -- shuffles ----------------------------------------------------------------------------------

/** Numbers in [0, 1) that a seed fixes (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** A board that reaches `goal` and is not it, uniform over those that do. */
export function shuffled(grid, goal, seed) {
  const random = randomFrom(seed);
  for (;;) {
    const tiles = [...goal];
    for (let last = tiles.length - 1; last > 0; last--) {
      const at = Math.floor(random() * (last + 1));
      [tiles[last], tiles[at]] = [tiles[at], tiles[last]];
    }
    if (solvable(grid, tiles, goal) && !same(tiles, goal)) return tiles;
  }
}
