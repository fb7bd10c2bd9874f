// A board on screen: buttons that slide. It shows what it is told and reports what is asked for;
// it never changes the game itself.

import { h } from './dom.js';
import { hintPicture, layout } from './draw.js';
import { OPPOSITE } from './model.js';

const CLICK = 8; // pixels that a finger may tremble
const SWIPE = 24; // pixels that a swipe is long, at least
const COMMIT = 0.4; // of a cell: let go beyond it, and the line slides

/**
 * A view of a board.
 *
 * Options: `grid`, `tiles`, `goal` (tiles, to mark what lies right and to cut pictures), `t`,
 * `label` (its spoken name), `onSlide(walk)` (asked for by click, drag or keys of a tile; without
 * it the board only shows), `colours` ('none' | 'row' | 'placed'), `picture` (a URL, or null),
 * `numbers` (false hides them over a picture), `labels` (a Map from tiles to what stands on them).
 *
 * Returns `{element, show(tiles, {animate}), set(options), trace(walk), destroy()}`.
 */
export function boardView(options) {
  const view = new BoardView(options);
  return {
    element: view.element,
    show: (tiles, { animate = true } = {}) => view.show(tiles, animate),
    set: (changes) => view.set(changes),
    trace: (walk) => view.trace(walk),
    destroy: () => view.stopDrag(),
  };
}

class BoardView {
  constructor(options) {
    this.options = { colours: 'none', picture: null, numbers: true, ...options };
    this.layout = layout(options.grid);
    this.pieces = new Map();
    this.overlay = null;
    this.drag = null;
    this.stopDrag = () => {};
    this.element = h('div', { class: 'board', role: 'group', 'aria-label': options.label });
    const { width, height } = this.layout;
    this.element.style.aspectRatio = `${width} / ${height}`;
    this.element.style.setProperty('--columns', width);
    this.element.style.setProperty('--rows', height);
    this.element.classList.toggle('layered', options.grid.shape.length > 2);
    this.#wells();
    if (options.onSlide) this.#listen();
    this.show(options.tiles, false);
  }

  /** The hollows under the tiles, one a layer. */
  #wells() {
    const [layers, , columns] = this.options.grid.sizes;
    for (let layer = 0; layer < layers; layer++) {
      const well = h('div', { class: this.options.grid.torus ? 'well torus' : 'well' });
      well.style.width = `${(columns / this.layout.width) * 100}%`;
      well.style.left = `${(this.layout.at(layer * (this.options.grid.n / layers))[0] / this.layout.width) * 100}%`;
      this.element.append(well);
    }
  }

  set(changes) {
    Object.assign(this.options, changes);
    for (const piece of this.pieces.values()) piece.remove();
    this.pieces.clear();
    this.show(this.tiles, false);
  }

  show(tiles, animate) {
    this.tiles = tiles;
    this.blank = tiles.indexOf(0);
    this.trace(null);
    tiles.forEach((tile, cell) => tile && this.#put(tile, cell, animate));
  }

  #put(tile, cell, animate) {
    const piece = this.pieces.get(tile) ?? this.#make(tile);
    const [x, y] = this.layout.at(cell);
    const far = Math.abs(x - piece.x) + Math.abs(y - piece.y) > 1.01;
    const wraps = far && this.options.grid.torus;
    piece.classList.toggle('still', !animate || wraps);
    piece.classList.toggle('travels', far && !wraps);
    Object.assign(piece, { x, y, cell });
    place(piece, x, y);
    this.#name(piece, tile, cell);
  }

  #make(tile) {
    const { onSlide, goal } = this.options;
    const piece = h(onSlide ? 'button' : 'div', {
      class: 'tile',
      type: onSlide ? 'button' : null,
    });
    const face = h('span', { class: 'face' }, h('span', { class: 'label' }, this.#label(tile)));
    piece.append(face, h('span', { class: 'dot', 'aria-hidden': 'true' }));
    piece.style.width = `${100 / this.layout.width}%`;
    piece.style.height = `${100 / this.layout.height}%`;
    piece.dataset.tile = tile;
    if (goal) this.#dress(piece, face, goal.indexOf(tile));
    this.pieces.set(tile, piece);
    this.element.append(piece);
    return piece;
  }

  #label(tile) {
    return this.options.labels?.get(tile) ?? tile;
  }

  /** Colours and the part of the picture, by the cell where the tile belongs. */
  #dress(piece, face, home) {
    const { grid, picture, numbers, colours } = this.options;
    if (colours === 'row') piece.dataset.row = (grid.place(home)[1] + grid.place(home)[0] * 2) % 6;
    if (colours === 'placed') piece.dataset.colours = 'placed';
    if (!picture) return;
    const { width, height, at } = this.layout;
    const [x, y] = at(home);
    piece.classList.add('pictured');
    piece.classList.toggle('bare', !numbers);
    face.style.backgroundImage = `url("${picture}")`;
    face.style.backgroundSize = `${width * 100}% ${height * 100}%`;
    face.style.backgroundPosition = `${width > 1 ? (x / (width - 1)) * 100 : 0}% ${height > 1 ? (y / (height - 1)) * 100 : 0}%`;
  }

  #name(piece, tile, cell) {
    const { grid, goal, t, onSlide } = this.options;
    const placed = Boolean(goal) && goal[cell] === tile;
    piece.classList.toggle('placed', placed);
    const [layer, row, column] = grid.place(cell).map((value) => value + 1);
    const where = grid.shape.length > 2 ? 'board.tile.layers' : 'board.tile';
    const state = placed ? t('board.placed') : '';
    const name = t(where, { tile: this.#label(tile), row, column, layer }) + state;
    if (!onSlide) {
      piece.setAttribute('role', 'img');
    } else {
      piece.tabIndex = grid.letter(this.blank, cell) ? 0 : -1;
    }
    piece.setAttribute('aria-label', name);
  }

  /** Draw the way that the blank should go, or take it away. */
  trace(walk) {
    this.overlay?.remove();
    this.overlay = walk && hintPicture(this.options.grid, this.blank, walk);
    if (this.overlay) this.element.append(this.overlay);
  }

  // -- pointers --------------------------------------------------------------------------------

  #listen() {
    this.element.addEventListener('click', (event) => {
      const piece = event.target.closest('.tile');
      if (!piece || this.dragged) return;
      const walk = this.options.grid.line(this.blank, piece.cell);
      if (walk) this.options.onSlide(walk);
    });
    this.element.addEventListener('pointerdown', (event) => {
      if (event.isPrimary && event.button === 0) this.#startDrag(event);
    });
  }

  #startDrag(down) {
    this.stopDrag();
    this.dragged = false;
    const piece = down.target.closest('.tile');
    const line = piece && this.options.grid.line(this.blank, piece.cell);
    const drag = { x: down.clientX, y: down.clientY, ...this.#pulled(line) };
    const move = (event) => this.#pull(drag, event);
    const up = (event) => {
      this.stopDrag();
      if (event.type === 'pointerup') this.#letGo(drag, event);
      else this.#settle(drag);
    };
    const events = [
      ['pointermove', move],
      ['pointerup', up],
      ['pointercancel', up],
    ];
    for (const [name, listener] of events) window.addEventListener(name, listener);
    this.stopDrag = () => {
      for (const [name, listener] of events) window.removeEventListener(name, listener);
      this.stopDrag = () => {};
    };
  }

  /** The tiles of a line and the way they go, in cells. */
  #pulled(line) {
    if (!line) return { line: null, pieces: [], way: null };
    const way = wayOf(OPPOSITE[this.options.grid.letter(this.blank, line[0])]);
    return {
      line,
      pieces: way ? line.map((cell) => this.pieces.get(this.tiles[cell])) : [],
      way,
    };
  }

  #pull(drag, event) {
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (Math.hypot(dx, dy) > CLICK) this.dragged = true;
    if (!this.dragged || !drag.way) return;
    const size = this.element.clientWidth / this.layout.width;
    drag.share = Math.min(1, Math.max(0, (dx * drag.way[0] + dy * drag.way[1]) / size));
    for (const piece of drag.pieces) {
      piece.classList.add('still');
      place(piece, piece.x + drag.way[0] * drag.share, piece.y + drag.way[1] * drag.share);
    }
  }

  #letGo(drag, event) {
    if (!this.dragged) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (drag.share > COMMIT) {
      this.options.onSlide(drag.line);
    } else {
      this.#settle(drag);
      if (!drag.share && Math.hypot(dx, dy) > SWIPE) this.#swipe(dx, dy);
    }
    setTimeout(() => (this.dragged = false));
  }

  #settle({ pieces }) {
    for (const piece of pieces) {
      piece.classList.remove('still');
      place(piece, piece.x, piece.y);
    }
  }

  /** A swipe anywhere pushes the tile beside the gap. */
  #swipe(dx, dy) {
    const letter = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'L' : 'R') : dy > 0 ? 'U' : 'D';
    const cell = this.options.grid.step(this.blank, letter);
    if (cell !== null) this.options.onSlide([cell]);
  }
}

function place(piece, x, y) {
  piece.style.transform = `translate(${x * 100}%, ${y * 100}%)`;
}

/** The direction of a letter on screen; layers have none. */
function wayOf(letter) {
  return { U: [0, -1], D: [0, 1], L: [-1, 0], R: [1, 0] }[letter] ?? null;
}
