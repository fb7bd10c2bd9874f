// A verdict and why, drawn: the blank's way home on the board, the inversions as arcs.

import { h } from '../dom.js';
import { boardPicture, inversionArcs } from '../draw.js';
import { parsePuzzle } from '../model.js';
import { copyText } from '../copy-text.js';

const MOST_TILES = 48; // in a row of tiles with arcs

/** The panels `{head, why, forms}` of a verdict; `onGoal(name)` is asked for another goal. */
export function verdictView(app, read, verdict, onGoal) {
  const { t } = app;
  const drawn = parsePuzzle(verdict.puzzle);
  return {
    head: h(
      'section',
      { class: 'panel' },
      head(t, verdict),
      h(
        'ul',
        { class: 'reasons' },
        verdict.reasons.map((reason) => h('li', {}, reason)),
      ),
      elsewhere(t, verdict, onGoal),
    ),
    why:
      drawn &&
      h(
        'section',
        { class: 'panel' },
        h('h2', {}, t('check.why')),
        pictures(t, drawn.grid, verdict),
      ),
    forms: forms(app, read, verdict),
  };
}

function head(t, { solvable, puzzle }) {
  return h(
    'div',
    { class: `verdict ${solvable ? 'yes' : 'no'}` },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, solvable ? '✓' : '✗'),
    h(
      'div',
      {},
      h('h2', {}, t(solvable ? 'check.yes' : 'check.no')),
      h('p', { class: 'small' }, t('check.read.as', { puzzle })),
    ),
  );
}

function elsewhere(t, { solvable, solvable_for: names }, onGoal) {
  if (solvable || !names?.length) return null;
  const buttons = names.map((name) =>
    h('button', { type: 'button', onclick: () => onGoal(name) }, t(`play.goal.${name}`)),
  );
  return h(
    'div',
    { class: 'stack' },
    h('p', {}, t('check.elsewhere')),
    h('div', { class: 'row' }, buttons),
  );
}

function pictures(
  t,
  grid,
  { tiles, goal, blank_walk: walk, blank_distance: distance, ...inverted },
) {
  const figures = [];
  const board = (content, caption) =>
    h('figure', { class: 'figure' }, content, h('figcaption', { class: 'small' }, caption));
  const start = boardPicture(grid, tiles, {
    label: t('check.picture.board', { tiles: tiles.join(' ') }),
    walk,
  });
  figures.push(
    h(
      'div',
      { class: 'pair' },
      board(start, t('check.picture.walk', { distance })),
      board(
        boardPicture(grid, goal, {
          label: t('check.picture.goal', { tiles: goal.join(' ') }),
        }),
        t('check.picture.to'),
      ),
    ),
  );
  const { inversions, inversion_pairs: pairs } = inverted;
  // The server lists the first pairs only: an incomplete picture would count wrong.
  if (pairs?.length === inversions && tiles.length <= MOST_TILES) {
    const caption = t('check.inversions', { count: inversions });
    figures.push(board(inversionArcs(tiles, pairs, caption), caption));
  }
  return figures;
}

/** The board in every form that can hold it, and what was assumed when it was read. */
function forms(app, { texts, notes = [] }, { tiles }) {
  const { t } = app;
  const written = Object.entries(texts ?? {});
  return h(
    'details',
    { class: 'panel' },
    h('summary', {}, t('check.forms')),
    notes.length
      ? h(
          'ul',
          { class: 'reasons' },
          notes.map((note) => h('li', {}, note)),
        )
      : null,
    copyText(app, t('check.form'), written.length ? written : [['', tiles.join(' ')]]),
  );
}
