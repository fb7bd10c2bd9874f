// One game: a start, the moves made, the clock. It knows nothing of the screen.

import {
  OPPOSITE,
  lettersOf,
  lineMoves,
  parsePuzzle,
  readTiles,
  same,
  walkOf,
  walked,
} from './model.js';

export class Game {
  /**
   * `puzzle` as from `parsePuzzle`; `start` the tiles dealt; `seed` and `depth` (the true distance
   * of the start) where they are known.
   */
  constructor({ puzzle, start, seed = null, depth = null }) {
    Object.assign(this, { puzzle, start, seed, depth, tiles: [...start] });
    this.done = []; // what was slid: letters of the blank, a text a slide
    this.undone = [];
    this.spent = 0; // milliseconds before the clock was last started
    this.since = null;
    this.finished = false;
  }

  get blank() {
    return this.tiles.indexOf(0);
  }

  get letters() {
    return this.done.join('');
  }

  /** Moves in both metrics: tiles, and lines. */
  get moves() {
    return { tiles: this.letters.length, lines: lineMoves(this.letters) };
  }

  get solved() {
    return same(this.tiles, this.puzzle.goal);
  }

  get running() {
    return this.since !== null;
  }

  get elapsed() {
    return this.spent + (this.running ? performance.now() - this.since : 0);
  }

  /** Slide: the blank visits `walk`. */
  slide(walk) {
    const letters = lettersOf(this.puzzle.grid, this.blank, walk);
    this.tiles = walked(this.tiles, walk);
    this.done.push(letters);
    if (this.undone.at(-1) === letters) this.undone.pop();
    else this.undone = [];
    this.#tick();
  }

  /** Take the last slide back; the walk of the blank, or null if there is none. */
  undo() {
    const letters = this.done.pop();
    if (!letters) return null;
    this.undone.push(letters);
    return this.#go([...letters].reverse().map((letter) => OPPOSITE[letter]));
  }

  redo() {
    const letters = this.undone.pop();
    if (!letters) return null;
    this.done.push(letters);
    return this.#go([...letters]);
  }

  #go(letters) {
    const walk = walkOf(this.puzzle.grid, this.blank, letters);
    this.tiles = walked(this.tiles, walk);
    this.#tick();
    return walk;
  }

  #tick() {
    if (this.solved) this.finish();
    else if (!this.finished) this.resume();
  }

  resume() {
    this.since ??= performance.now();
  }

  pause() {
    this.spent = this.elapsed;
    this.since = null;
  }

  finish() {
    this.pause();
    this.finished = true;
  }

  /** Back to the start, the clock at nought. */
  again() {
    return new Game(this);
  }

  /** What `Game.from` makes a game of again. */
  toJSON() {
    const { start, seed, depth, done, undone, finished } = this;
    return {
      spec: this.puzzle.spec,
      start,
      seed,
      depth,
      done,
      undone,
      finished,
      spent: this.elapsed,
    };
  }

  /** The game that was kept, or null if it is none. */
  static from(kept) {
    const puzzle = typeof kept?.spec === 'string' ? parsePuzzle(kept.spec) : null;
    const start = puzzle && readTiles(String(kept.start), puzzle.grid.n);
    if (!start || !Array.isArray(kept.done) || !Array.isArray(kept.undone)) return null;
    const game = new Game({ puzzle, start, seed: kept.seed, depth: kept.depth });
    const walk = walkOf(puzzle.grid, game.blank, kept.done.join(''));
    if (!walk) return null;
    const { done, undone, finished, spent } = kept;
    return Object.assign(game, { tiles: walked(start, walk), done, undone, finished, spent });
  }
}

/** Boards that can be played: every side 2 to 10, and no more than 27 cells in layers. */
export function playable({ shape, n }) {
  return shape.every((side) => side >= 2 && side <= 10) && (shape.length === 2 || n <= 27);
}

/** Minutes and seconds. */
export function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
