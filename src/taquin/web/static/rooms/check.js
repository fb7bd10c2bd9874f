// Check and solve: paste a board in any written form; see why, and the shortest way.

import { field, h, select } from '../dom.js';
import { verdictView } from './check-verdict.js';
import { solver } from './check-solve.js';

export const title = 'check.title';

const GOALS = ['blank-last', 'blank-first', 'snake', 'spiral', 'columns', 'reversed'];

const EXAMPLES = {
  fifteen: '1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0',
  eight: '8 1 3 / 4 0 2 / 7 6 5',
  hard: '0 12 9 13 15 11 10 14\n3 7 2 5 4 8 6 1',
  drawn: '+---+---+---+\n| 7 | 2 | 4 |\n| 5 |   | 6 |\n| 8 | 3 | 1 |\n+---+---+---+',
};

export function mount(root, app) {
  const room = new CheckRoom(root, app);
  return () => room.leave();
}

class CheckRoom {
  constructor(root, app) {
    Object.assign(this, { app, t: app.t, root, asked: 0 });
    this.#build();
    const { board, puzzle, to } = app.params;
    if (!board) return;
    this.text.value = board;
    this.puzzle.value = puzzle ?? '';
    if (to) this.#aim(to);
    this.#check();
  }

  leave() {
    this.asked = Infinity;
    this.solver?.destroy();
  }

  #build() {
    const { t } = this;
    this.text = h('textarea', {
      rows: 6,
      spellcheck: 'false',
      autocomplete: 'off',
      onpaste: () => setTimeout(() => this.#check()),
    });
    this.puzzle = h('input', {
      type: 'text',
      spellcheck: 'false',
      autocomplete: 'off',
      placeholder: t('check.puzzle.guess'),
    });
    const goals = [
      ['', t('check.goal.guess')],
      ...GOALS.map((name) => [name, t(`play.goal.${name}`)]),
      ['own', t('check.goal.own')],
    ];
    this.goal = select(goals, '', () => this.#showOwn());
    this.own = h('textarea', { rows: 3, spellcheck: 'false' });
    this.ownField = field(t('check.goal.own.text'), this.own);
    this.ownField.hidden = true;
    this.fault = h('p', { class: 'fault', role: 'alert' });
    this.answers = h('div', { class: 'stack' });
    this.solving = h('div', { class: 'stack' }, this.#examples());
    this.root.append(
      h(
        'div',
        { class: 'head' },
        h('h1', {}, t('check.title')),
        h('p', { class: 'quiet' }, t('check.lead')),
      ),
      h(
        'div',
        { class: 'two even' },
        h('div', { class: 'stack' }, this.#form(), this.answers),
        this.solving,
      ),
    );
  }

  #form() {
    const { t } = this;
    return h(
      'form',
      { class: 'panel', onsubmit: (event) => this.#submit(event) },
      field(t('check.board'), this.text),
      h(
        'div',
        { class: 'fields' },
        field(t('check.puzzle'), this.puzzle),
        field(t('check.goal'), this.goal),
      ),
      this.ownField,
      h('button', { type: 'submit', class: 'main' }, t('check.do')),
      this.fault,
    );
  }

  /** What stands beside the form until something is asked. */
  #examples() {
    const { t } = this;
    const example = ([name, text]) =>
      h(
        'button',
        { type: 'button', class: 'example', onclick: () => this.#example(text) },
        h('span', {}, t(`check.example.${name}`)),
        h('span', { class: 'written mono' }, text),
      );
    return h(
      'section',
      { class: 'panel' },
      h('h2', {}, t('check.examples')),
      h('div', { class: 'examples' }, Object.entries(EXAMPLES).map(example)),
    );
  }

  async #submit(event) {
    event.preventDefault();
    await this.#check();
    this.answers.firstChild?.scrollIntoView({ block: 'nearest' });
  }

  #example(text) {
    this.text.value = text;
    this.puzzle.value = '';
    this.#aim('');
    this.#check();
  }

  /** Choose a goal: a name, or a board that the field for one then holds. */
  #aim(to) {
    const named = to === '' || GOALS.includes(to);
    this.goal.value = named ? to : 'own';
    if (!named) this.own.value = to;
    this.#showOwn();
  }

  #showOwn() {
    this.ownField.hidden = this.goal.value !== 'own';
  }

  get to() {
    return (this.goal.value === 'own' ? this.own.value : this.goal.value) || undefined;
  }

  async #check() {
    const turn = ++this.asked;
    const question = { board: this.text.value, puzzle: this.puzzle.value.trim() || undefined };
    this.solver?.destroy();
    this.fault.textContent = '';
    try {
      const { api, lang } = this.app;
      const read = await api.post('/api/read', {
        text: question.board,
        puzzle: question.puzzle,
      });
      const verdict = await api.post('/api/check', { ...question, to: this.to, lang });
      if (turn === this.asked) this.#show(read, verdict);
    } catch (error) {
      if (turn !== this.asked) return;
      this.answers.replaceChildren();
      this.solving.replaceChildren();
      this.fault.textContent = this.app.excuse(error);
    }
  }

  #show(read, verdict) {
    const { to } = this;
    const { head, why, forms } = verdictView(this.app, read, verdict, (name) => this.#retry(name));
    this.solver = verdict.solvable ? solver(this.app, verdict) : null;
    this.answers.replaceChildren(...[head, this.solver && why, forms].filter(Boolean));
    this.solving.replaceChildren(this.solver?.element ?? why ?? '');
    this.app.announce(this.t(verdict.solvable ? 'check.yes' : 'check.no'));
    this.app.keepAddress('check', { puzzle: verdict.puzzle, board: verdict.tiles, to });
  }

  #retry(goal) {
    this.#aim(goal);
    this.#check();
  }
}
