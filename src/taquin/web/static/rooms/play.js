// Play: slide, shuffle, hints. The server is asked for difficulty, hints and distances only.

import { field, h, wantsKeys } from '../dom.js';
import { layout } from '../draw.js';
import { Game, clockText, playable } from '../game.js';
import {
  OPPOSITE,
  lettersOf,
  parsePuzzle,
  readTiles,
  same,
  shuffled,
  solvable,
  walkOf,
  walked,
} from '../model.js';
import { cropped, keptPhoto } from '../photo.js';
import { keep, recall } from '../settings.js';
import { dealForm } from './play-deal.js';
import { looks } from './play-looks.js';

export const title = 'play.title';

const FIRST = '4x4';
const SHOWN = 5; // moves of a hint that are drawn

const ARROWS = {
  ArrowUp: 'U',
  ArrowDown: 'D',
  ArrowLeft: 'L',
  ArrowRight: 'R',
  PageUp: 'F',
  PageDown: 'B',
};
const LETTERS = { w: 'U', s: 'D', a: 'L', d: 'R', q: 'F', e: 'B' };

export function mount(root, app) {
  const room = new PlayRoom(root, app);
  return () => room.leave();
}

class PlayRoom {
  constructor(root, app) {
    Object.assign(this, { app, t: app.t, root, hint: null, photo: keptPhoto(), left: false });
    this.#build();
    this.#open();
    this.onKey = (event) => this.#key(event);
    this.onHide = () => document.hidden && this.#pause();
    this.onGone = () => this.#keep();
    document.addEventListener('keydown', this.onKey);
    document.addEventListener('visibilitychange', this.onHide);
    window.addEventListener('pagehide', this.onGone);
    this.ticking = setInterval(() => this.#showTime(), 200);
  }

  leave() {
    this.left = true;
    clearInterval(this.ticking);
    document.removeEventListener('keydown', this.onKey);
    document.removeEventListener('visibilitychange', this.onHide);
    window.removeEventListener('pagehide', this.onGone);
    this.game.pause();
    this.#keep();
    this.view.destroy();
  }

  // -- the page --------------------------------------------------------------------------------

  #build() {
    const { t } = this;
    this.time = h('dd');
    this.tilesMoved = h('dd');
    this.linesMoved = h('dd');
    const counter = (name, value) => h('div', {}, h('dt', {}, name), value);
    this.clock = counter(t('play.time'), this.time);
    this.counters = h(
      'dl',
      { class: 'counters' },
      this.clock,
      counter(t('play.moves'), this.tilesMoved),
      counter(t('play.lines'), this.linesMoved),
    );
    this.#showClock();
    this.stage = h('div');
    this.told = h('p', { class: 'told', id: 'told' });
    this.form = dealForm(this.app, (wish) => this.#deal(wish));
    this.looks = looks(this.app, {
      onLook: () => this.#look(),
      onPhoto: (url) => this.#setPhoto(url),
    });
    this.root.append(
      h('h1', { class: 'hush' }, t('play.title')),
      h(
        'div',
        { class: 'stack' },
        this.counters,
        this.stage,
        this.#buttons(),
        this.told,
        this.#share(),
      ),
      h('div', { class: 'stack' }, this.form.element, this.looks.element),
    );
  }

  #buttons() {
    const { t } = this;
    const button = (name, act, kind) =>
      h('button', { type: 'button', class: kind, onclick: act }, name);
    this.undoButton = button(t('play.undo'), () => this.#undo());
    this.redoButton = button(t('play.redo'), () => this.#redo());
    this.hintButton = button(t('play.hint'), () => this.#hint(), 'hint');
    this.farButton = button(t('play.far'), () => this.#far());
    this.pauseButton = button(t('play.pause'), () => this.#pauseOrGoOn());
    const again = button(t('play.again'), () => this.#begin(this.game.again()));
    return h(
      'div',
      { class: 'row centred' },
      this.undoButton,
      this.redoButton,
      this.hintButton,
      this.farButton,
      this.pauseButton,
      again,
    );
  }

  #share() {
    const { t } = this;
    this.linkField = h('input', { type: 'text', readonly: true });
    this.linkRow = field(t('play.link'), this.linkField);
    this.linkRow.hidden = true;
    const copy = h('button', { type: 'button', onclick: () => this.#copyLink() }, t('play.share'));
    const check = h(
      'button',
      { type: 'button', onclick: () => this.app.go('check', this.#address()) },
      t('play.check'),
    );
    return h(
      'div',
      { class: 'share stack' },
      h('div', { class: 'row centred' }, copy, check),
      this.linkRow,
    );
  }

  // -- games -----------------------------------------------------------------------------------

  /** The board of the address, the game kept, or a new one, in this order. */
  #open() {
    const kept = Game.from(recall('game'));
    const linked = this.#linked();
    if (!linked) {
      const unread = this.app.params.puzzle ? this.t('play.link.bad') : '';
      this.#begin(kept ?? this.#fresh(), unread);
      return;
    }
    const shown = kept?.puzzle.spec === linked.puzzle.spec && same(kept.tiles, linked.start);
    this.#begin(shown ? kept : linked, this.#doubts(linked));
  }

  #linked() {
    const { puzzle: spec, board, seed } = this.app.params;
    const puzzle = spec && parsePuzzle(spec);
    if (!puzzle || !playable(puzzle.grid)) return null;
    const start = board
      ? readTiles(board, puzzle.grid.n)
      : shuffled(puzzle.grid, puzzle.goal, newSeed());
    return start && new Game({ puzzle, start, seed: seed ?? null });
  }

  #doubts({ puzzle, start }) {
    return solvable(puzzle.grid, start, puzzle.goal) ? '' : this.t('play.unsolvable');
  }

  #fresh() {
    const puzzle = parsePuzzle(FIRST);
    const seed = newSeed();
    return new Game({ puzzle, start: shuffled(puzzle.grid, puzzle.goal, seed), seed });
  }

  #begin(game, text = '') {
    const { grid, goal } = game.puzzle;
    Object.assign(this, { game, hint: null, picture: null });
    this.view?.destroy();
    this.view = this.app.boardView({
      grid,
      goal,
      tiles: game.tiles,
      t: this.t,
      label: this.t('play.board', { board: grid.spec }),
      onSlide: (walk) => this.#slide(walk),
      ...this.#viewOptions(),
    });
    this.stage.replaceChildren(this.view.element);
    this.form.show(game);
    this.#tell(text);
    this.#refresh();
    if (this.photo) this.#look();
  }

  async #deal({ spec, seed, range }) {
    const puzzle = parsePuzzle(spec);
    const wish = { puzzle: spec, ...range, ...(seed === null ? {} : { seed }) };
    this.#tell(this.t('play.dealing'));
    try {
      const answer = await this.app.api.post('/api/shuffle', wish, AbortSignal.timeout(20_000));
      const [{ tiles, depth }] = answer.boards;
      this.#dealt({ puzzle, start: tiles, seed: answer.seed, depth }, this.#depthText(depth));
    } catch (error) {
      const own = seed ?? newSeed();
      const start = shuffled(puzzle.grid, puzzle.goal, own);
      const reason = error.kind === 'Offline' ? '' : `${this.app.excuse(error)} `;
      this.#dealt({ puzzle, start, seed: own }, reason + this.t('play.dealt.here'));
    }
  }

  #dealt(start, text) {
    if (!this.left) this.#begin(new Game(start), text);
  }

  #depthText(depth) {
    return depth === null ? this.t('play.dealt') : this.t('play.dealt.depth', { depth });
  }

  // -- moves -----------------------------------------------------------------------------------

  #slide(walk) {
    const { game } = this;
    const letters = lettersOf(game.puzzle.grid, game.blank, walk);
    const moved = walk.map((cell) => game.tiles[cell]);
    const was = game.finished;
    game.slide(walk);
    this.view.show(game.tiles);
    this.#refresh();
    this.#tell('');
    this.#say(moved, letters[0]);
    this.#follow(letters);
    if (game.finished && !was) this.#solved();
  }

  #say(moved, letter) {
    const way = this.t(`play.way.${OPPOSITE[letter]}`);
    this.app.announce(this.t('play.moved', { tiles: moved.join(', '), way }));
  }

  #solved() {
    const { depth, moves, elapsed } = this.game;
    const values = { moves: moves.tiles, lines: moves.lines, time: clockText(elapsed), depth };
    const best =
      depth === null
        ? ''
        : this.t(moves.tiles === depth ? 'play.solved.best' : 'play.solved.depth', values);
    const text = `${this.t('play.solved', values)} ${best}`.trim();
    this.#tell(text);
    this.told.classList.add('won');
  }

  #push(letter) {
    const cell = this.game.puzzle.grid.step(this.game.blank, letter);
    if (cell !== null) this.#slide([cell]);
  }

  #undo() {
    if (this.game.undo()) this.#turned('play.undone');
  }

  #redo() {
    if (this.game.redo()) this.#turned('play.redone');
  }

  #turned(key) {
    this.hint = null;
    this.view.show(this.game.tiles);
    this.#refresh();
    this.#tell('');
    this.app.announce(this.t(key));
  }

  #key(event) {
    if (wantsKeys(event.target) || event.altKey || event.metaKey) return;
    const act = this.#actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #actOf({ key, ctrlKey, shiftKey }) {
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (ctrlKey) {
      if (name === 'z') return () => (shiftKey ? this.#redo() : this.#undo());
      return name === 'y' ? () => this.#redo() : null;
    }
    const letter = ARROWS[name] ?? (this.app.settings.letters ? LETTERS[name] : undefined);
    if (letter && this.game.puzzle.grid.letters.includes(letter)) {
      return () => this.#push(this.app.settings.arrows === 'tile' ? OPPOSITE[letter] : letter);
    }
    if (!this.app.settings.letters) return null;
    const acts = {
      h: () => this.#hint(),
      z: () => this.#undo(),
      y: () => this.#redo(),
      p: () => this.#pauseOrGoOn(),
    };
    return acts[name] ?? null;
  }

  // -- help ------------------------------------------------------------------------------------

  /** Show the next moves; asked again while they are shown, make the first of them. */
  async #hint() {
    if (this.hint) return this.#push(this.hint.letters[0]);
    if (this.game.solved) return this.#tell(this.t('play.already'));
    const answer = await this.#ask('/api/hint', this.hintButton);
    if (!answer) return;
    this.hint = { letters: answer.moves, optimal: answer.optimal };
    this.#showHint();
  }

  #showHint() {
    const { game, hint } = this;
    const walk = walkOf(game.puzzle.grid, game.blank, hint.letters.slice(0, SHOWN));
    this.view.trace(walk);
    const steps = walk.map((cell, i) => {
      const tile = walked(game.tiles, walk.slice(0, i))[cell];
      return `${tile} ${this.t(`play.way.${OPPOSITE[hint.letters[i]]}`)}`;
    });
    const key = hint.optimal ? 'play.hint.best' : 'play.hint.short';
    this.#tell(this.t(key, { steps: steps.join(', '), length: hint.letters.length }));
  }

  /** A player who follows the hint sees the rest of it; one who strays sees none. */
  #follow(letters) {
    const rest = this.hint?.letters.startsWith(letters) && this.hint.letters.slice(letters.length);
    if (!rest) {
      this.hint = null;
      return;
    }
    this.hint.letters = rest;
    this.#showHint();
  }

  async #far() {
    const answer = await this.#ask('/api/distance', this.farButton);
    if (!answer) return;
    const { exact, distance, lower_bound: low, upper_bound: high } = answer;
    this.#tell(
      exact ? this.t('play.far.exact', { distance }) : this.t('play.far.bounds', { low, high }),
    );
  }

  /** Ask about the board as it stands; null if there is no answer, or the board has changed. */
  async #ask(path, button) {
    const { game } = this;
    const { tiles } = game;
    button.setAttribute('aria-busy', 'true');
    try {
      const answer = await this.app.api.post(path, {
        puzzle: game.puzzle.spec,
        board: tiles,
      });
      return this.game === game && game.tiles === tiles && !this.left ? answer : null;
    } catch (error) {
      if (!this.left) this.#tell(this.app.excuse(error));
      return null;
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  // -- the clock -------------------------------------------------------------------------------

  #pauseOrGoOn() {
    if (this.game.running) this.#pause();
    else if (!this.game.finished && this.game.done.length) this.game.resume();
    this.#refresh();
  }

  #pause() {
    if (this.game.running) this.game.pause();
    this.#refresh();
  }

  #showTime() {
    const text = clockText(this.game.elapsed);
    if (this.time.textContent !== text) this.time.textContent = text;
  }

  // -- looks, links, what is kept --------------------------------------------------------------

  #viewOptions() {
    const { colours, numbers } = this.app.settings;
    return { colours, numbers, picture: this.picture };
  }

  async #look() {
    const { view } = this;
    const { width, height } = layout(this.game.puzzle.grid);
    const picture = this.photo && (await cropped(this.photo, width / height).catch(() => null));
    if (this.left || this.view !== view) return;
    this.picture = picture;
    view.set(this.#viewOptions());
    this.#showClock();
    this.looks.show(picture);
  }

  #showClock() {
    this.clock.classList.toggle('unseen', !this.app.settings.clock);
  }

  #setPhoto(url) {
    this.photo = url;
    keep('photo', url);
    this.#look();
  }

  #address() {
    const { puzzle, tiles, seed } = this.game;
    return { puzzle: puzzle.spec, board: tiles, seed };
  }

  async #copyLink() {
    const url = new URL(this.app.link('play', this.#address()), location.href).href;
    this.linkField.value = url;
    this.linkRow.hidden = false;
    const copied = await navigator.clipboard?.writeText(url).then(
      () => true,
      () => false,
    );
    this.linkField.select();
    this.app.announce(this.t(copied ? 'play.link.copied' : 'play.link.here'));
  }

  /** Write a sentence under the board, and say it. */
  #tell(text) {
    this.told.textContent = text;
    this.told.classList.remove('won');
    if (text) this.app.announce(text);
  }

  #refresh() {
    const { game } = this;
    this.#showTime();
    this.tilesMoved.textContent = game.moves.tiles;
    this.linesMoved.textContent = game.moves.lines;
    this.undoButton.disabled = !game.done.length;
    this.redoButton.disabled = !game.undone.length;
    this.pauseButton.disabled = game.finished || !game.done.length;
    this.pauseButton.textContent = this.t(
      game.running || !game.done.length || game.finished ? 'play.pause' : 'play.resume',
    );
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.#keep(), 300);
  }

  #keep() {
    clearTimeout(this.keeping);
    keep('game', this.game);
    if (!this.left) this.app.keepAddress('play', this.#address());
  }
}

function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}
