// The form of a new game: board, goal, difficulty, seed.

import { field, h, select } from '../dom.js';
import { boardPicture, layout } from '../draw.js';
import { Grid, goalNames, namedGoal, puzzleSpec } from '../model.js';

const SIDES = [2, 3, 4, 5, 6, 7, 8, 9, 10];
const SHAPES = ['grid', 'torus', '2x2x2', '3x3x3'];
const GOALS = ['blank-last', 'blank-first', 'snake', 'spiral', 'columns'];

/** Parts of the mean distance from the goal that a level lies between. */
const LEVELS = { easy: [0.15, 0.3], middle: [0.45, 0.65], hard: [1, null] };

/**
 * `onDeal({spec, seed, range})` is called with what was wished for; `range` is `{}`, `{depth}` or
 * `{min, max}`. Returns `{element, show(game)}`.
 */
export function dealForm(app, onDeal) {
  const { t } = app;
  const levels = ['any', ...Object.keys(LEVELS), 'exact'];
  const shape = select(
    SHAPES.map((name) => [name, t(`play.shape.${name}`)]),
    'grid',
    refresh,
  );
  const [rows, columns] = [1, 2].map(() =>
    select(
      SIDES.map((side) => [side, side]),
      4,
      refresh,
    ),
  );
  const goal = select(
    GOALS.map((name) => [name, t(`play.goal.${name}`)]),
    'blank-last',
    refresh,
  );
  const level = select(
    levels.map((name) => [name, t(`play.level.${name}`)]),
    'any',
    refresh,
  );
  const depth = h('input', { type: 'number', min: 1, max: 9999, step: 1, inputmode: 'numeric' });
  const seed = h('input', {
    type: 'number',
    min: 0,
    max: 999999999,
    step: 1,
    inputmode: 'numeric',
    placeholder: t('play.seed.any'),
  });
  const picture = h('div', { class: 'goal-picture' });
  const goalRow = h('div', { class: 'goal-row' }, field(t('play.goal'), goal), picture);
  const depthField = field(t('play.depth'), depth);

  const element = h(
    'form',
    { class: 'panel', onsubmit: submit },
    h('h2', {}, t('play.new')),
    h(
      'div',
      { class: 'fields' },
      h('div', { class: 'wide' }, field(t('play.shape'), shape)),
      field(t('play.rows'), rows),
      field(t('play.columns'), columns),
    ),
    goalRow,
    h(
      'div',
      { class: 'fields' },
      field(t('play.level'), level),
      field(t('play.seed'), seed),
      depthField,
    ),
    h('button', { type: 'submit', class: 'main' }, t('play.deal')),
  );

  function grid() {
    if (shape.value.includes('x')) return new Grid(shape.value.split('x').map(Number));
    return new Grid([Number(rows.value), Number(columns.value)], shape.value === 'torus');
  }

  function refresh() {
    const board = grid();
    const names = goalNames(board);
    rows.disabled = columns.disabled = board.shape.length > 2;
    for (const option of goal.options) option.disabled = !names.includes(option.value);
    if (!names.includes(goal.value)) goal.value = 'blank-last';
    const wished = level.value === 'exact';
    depthField.hidden = depth.disabled = !wished;
    depth.required = wished;
    const tiles = namedGoal(board, goal.value);
    goalRow.classList.toggle('broad', layout(board).width > 6);
    picture.replaceChildren(
      boardPicture(board, tiles, {
        label: t('play.goal.picture', { tiles: tiles.join(' ') }),
      }),
    );
  }

  function submit(event) {
    event.preventDefault();
    onDeal({
      spec: puzzleSpec(grid(), goal.value),
      seed: seed.value === '' ? null : Number(seed.value),
      range: range(),
    });
  }

  function range() {
    if (level.value === 'any') return {};
    if (level.value === 'exact') return { depth: Number(depth.value) };
    const mean = meanDistance(grid());
    const [min, max] = LEVELS[level.value].map((part) => part && Math.round(part * mean));
    return max === null ? { min } : { min: Math.max(1, min), max: Math.max(2, max) };
  }

  /** Show the board, goal and seed of a game. */
  function show({ puzzle }) {
    const { shape: sides, torus } = puzzle.grid;
    shape.value = sides.length > 2 ? sides.join('x') : torus ? 'torus' : 'grid';
    if (sides.length === 2) [rows.value, columns.value] = sides;
    if (GOALS.includes(puzzle.goalName)) goal.value = puzzle.goalName;
    refresh();
  }

  refresh();
  return { element, show };
}

/**
 * About how far a random board lies from the goal: the way of each tile between two random cells,
 * and a third more, as 3x3 (22 moves) and 4x4 (53) have it.
 */
function meanDistance({ shape, n, torus }) {
  const way = shape.reduce((sum, side) => sum + (torus ? side / 4 : (side - 1 / side) / 3), 0);
  return (4 / 3) * n * way;
}
