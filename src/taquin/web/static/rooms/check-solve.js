// The shortest way: asked for, watched while it is looked for, played, copied.

import { field, h, select } from '../dom.js';
import { playable } from '../game.js';
import { goalText, parsePuzzle, puzzleSpec, readTiles } from '../model.js';
import { player } from '../player.js';
import { copyText } from '../copy-text.js';

const METRICS = ['stm', 'mtm'];
const TIMES = [5, 20, 60];
const SMALL = 16; // cells: always solved optimally

/** A panel that solves `puzzle` from `tiles` to `goal`. */
export function solver(app, { puzzle, tiles, goal }) {
  return new Solver(app, { puzzle, tiles, goal });
}

class Solver {
  constructor(app, question) {
    Object.assign(this, {
      app,
      t: app.t,
      question,
      drawn: parsePuzzle(question.puzzle),
      request: null,
      best: null,
    });
    this.#build();
  }

  destroy() {
    this.request?.abort();
    this.player?.destroy();
  }

  #build() {
    const { t, question, drawn } = this;
    this.metric = select(
      METRICS.map((name) => [name, t(`check.metric.${name}`)]),
      drawn?.metric ?? 'stm',
      () => {},
    );
    this.time = select(
      TIMES.map((seconds) => [seconds, t('check.time.seconds', { seconds })]),
      TIMES[1],
      () => {},
    );
    this.one = h(
      'button',
      { type: 'button', class: 'main', onclick: () => this.#solve(false) },
      t('check.solve'),
    );
    this.all = h(
      'button',
      { type: 'button', onclick: () => this.#solve(true) },
      t('check.solve.all'),
    );
    this.cancel = h('button', { type: 'button', onclick: () => this.#cancel() }, t('check.cancel'));
    this.cancel.hidden = true;
    this.told = h('p', { class: 'state' });
    this.outcome = h('div', { class: 'stack' });
    const large = question.tiles.length > SMALL;
    this.element = h(
      'section',
      { class: 'panel' },
      h('h2', {}, t('check.way')),
      h(
        'div',
        { class: 'fields' },
        drawn ? field(t('check.metric'), this.metric) : null,
        large ? field(t('check.time'), this.time) : null,
      ),
      h('div', { class: 'row' }, this.one, this.all, this.cancel, this.#playIt()),
      this.told,
      this.outcome,
    );
  }

  #playIt() {
    const { drawn, question, t, app } = this;
    const { tiles } = question;
    if (!drawn || !playable(drawn.grid) || !readTiles(tiles.join(' '), tiles.length)) return null;
    const play = () => app.go('play', { puzzle: this.#puzzle(), board: tiles });
    return h('button', { type: 'button', onclick: play }, t('check.play'));
  }

  /** The puzzle's text with the goal that was asked for. */
  #puzzle() {
    const { drawn, question } = this;
    return puzzleSpec(drawn.grid, goalText(drawn.grid, question.goal));
  }

  #asked(all) {
    const { puzzle, tiles, goal } = this.question;
    const what = this.drawn
      ? { puzzle: this.#puzzle(), metric: this.metric.value }
      : { puzzle, to: goal.join(' ') };
    const limits = tiles.length > SMALL ? { time_limit: Number(this.time.value) } : {};
    return { ...what, ...limits, board: tiles, ...(all && { all }) };
  }

  async #solve(all) {
    this.destroy();
    const request = new AbortController();
    Object.assign(this, { request, best: null, began: performance.now() });
    this.outcome.replaceChildren();
    this.#working(true);
    try {
      const result = await this.app.api.stream(
        '/api/solve',
        this.#asked(all),
        (line) => this.#hear(line),
        request.signal,
      );
      this.#end(all ? this.t('check.all.count', { count: result.count }) : this.#length(result));
      if (all) this.#showAll(result);
      else this.#showWay(result);
    } catch (error) {
      if (this.request !== request) return;
      this.#failed(error);
    }
  }

  #cancel() {
    this.request?.abort();
  }

  #failed(error) {
    const best = error.more?.best ?? this.best;
    const cancelled = error.name === 'AbortError';
    this.#end(cancelled ? this.t('check.cancelled') : this.app.excuse(error));
    if (best?.moves !== undefined) this.#showWay(best);
  }

  #working(on) {
    this.cancel.hidden = !on;
    this.one.disabled = this.all.disabled = on;
    clearInterval(this.ticking);
    if (!on) return;
    this.state = '';
    this.ticking = setInterval(() => this.#tick(), 200);
    this.#tick();
  }

  #tick() {
    const seconds = ((performance.now() - this.began) / 1000).toFixed(0);
    this.told.textContent = `${this.t('check.working', { seconds })} ${this.state}`;
  }

  #end(text) {
    this.#working(false);
    this.told.textContent = text;
    this.app.announce(text);
  }

  /** A line of the stream, while the server works. */
  #hear({ queued, progress, better }) {
    if (better) {
      this.best = better;
      this.state = this.t('check.better', {
        length: better.length,
        bound: better.lower_bound,
      });
    } else if (queued !== undefined) {
      this.state = this.t('check.queued', { place: queued });
    } else if (progress && !this.best) {
      this.state = this.#progress(progress);
    }
    this.#tick();
  }

  /** The numbers of a search, where it tells them: a proved bound, boards generated, seconds. */
  #progress({ numbers }) {
    if (!numbers) return this.state;
    const [bound, generated] = numbers;
    const boards = generated.toLocaleString(this.app.lang);
    return bound
      ? this.t('check.progress.bound', { bound, boards })
      : this.t('check.progress', { boards });
  }

  #length({ length, optimal, lower_bound: bound }) {
    return optimal
      ? this.t('check.length.best', { length })
      : this.t('check.length.short', { length, bound });
  }

  #showWay(way) {
    const { t, drawn, question } = this;
    this.player?.destroy();
    const parts = [this.#figures(way)];
    if (drawn && way.moves) {
      const lines = this.metric.value === 'mtm';
      const steps = lines ? way.moves.match(/(.)\1*/g) : [...way.moves];
      const marks = steps.map((step) => h('span', {}, step));
      this.player = player(this.app, {
        grid: drawn.grid,
        start: question.tiles,
        steps,
        onStep: (at) => marks.forEach((mark, i) => mark.classList.toggle('made', i < at)),
      });
      parts.push(
        this.player.element,
        h('p', { class: 'moves mono', 'aria-label': t('check.moves') }, marks),
      );
    }
    const texts = Object.entries(way.texts ?? { blank: way.moves }).map(([name, text]) => [
      t(`check.notation.${name}`),
      text,
    ]);
    if (way.length) parts.push(copyText(this.app, t('check.notation'), texts));
    this.outcome.replaceChildren(...parts);
  }

  #figures({ method, expanded, seconds }) {
    if (method === undefined) return '';
    const values = {
      method,
      expanded: (expanded ?? 0).toLocaleString(this.app.lang),
      seconds: (seconds ?? 0).toPrecision(2),
    };
    return h('p', { class: 'small' }, this.t('check.figures', values));
  }

  #showAll({ count, solutions }) {
    const { t } = this;
    const shown = h('div', { class: 'stack' });
    const list = h(
      'ol',
      { class: 'ways', tabindex: 0, 'aria-label': t('check.all') },
      solutions.map((moves) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'plain mono',
              onclick: () => this.#showOne(moves, shown),
            },
            moves,
          ),
        ),
      ),
    );
    const cut =
      count > solutions.length
        ? h('p', { class: 'small' }, t('check.all.cut', { shown: solutions.length }))
        : null;
    this.outcome.replaceChildren(...[cut, list, shown].filter(Boolean));
    if (solutions.length) this.#showOne(solutions[0], shown);
  }

  #showOne(moves, place) {
    if (!this.drawn) return;
    this.player?.destroy();
    this.player = player(this.app, {
      grid: this.drawn.grid,
      start: this.question.tiles,
      steps: [...moves],
    });
    place.replaceChildren(this.player.element);
  }
}
