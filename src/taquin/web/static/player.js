// A way on a board, step by step: buttons, a slider, and a speed.

import { boardView } from './board.js';
import { field, h, select } from './dom.js';
import { walkOf, walked } from './model.js';
import { saveSettings, settings } from './settings.js';

const SPEEDS = [0.5, 1, 2, 4, 8]; // steps a second

/**
 * Show `steps` (letters of the blank, one text a step) from the tiles `start` on `grid`.
 *
 * `onStep(i)` is told how many steps are made. Returns `{element, destroy(), go(i)}`.
 */
export function player(app, { grid, start, steps, onStep = () => {} }) {
  const { t } = app;
  const { ids, labels } = distinct(start);
  const boards = positions(grid, ids, steps);
  const view = boardView({ grid, tiles: ids, labels, t, label: t('player.board') });
  let at = 0;
  let timer = null;

  const slider = h('input', {
    type: 'range',
    min: 0,
    max: steps.length,
    step: 1,
    oninput: () => jump(Number(slider.value)),
  });
  slider.value = 0;
  slider.setAttribute('aria-label', t('player.slider'));
  const count = h('output', { class: 'count' });
  const button = (key, act) => h('button', { type: 'button', onclick: act }, t(key));
  const [first, back, forward, last] = [
    button('player.first', () => jump(0)),
    button('player.back', () => jump(at - 1)),
    button('player.forward', () => jump(at + 1)),
    button('player.last', () => jump(steps.length)),
  ];
  const play = button('player.play', () => (timer ? stop() : run()));
  play.className = 'main';
  const speed = select(
    SPEEDS.map((value) => [value, t('player.speed.each', { value })]),
    settings.speed,
    (value) => {
      saveSettings({ speed: Number(value) });
      if (timer) run();
    },
  );

  const element = h(
    'div',
    { class: 'player stack' },
    view.element,
    h('div', { class: 'row slider-row' }, slider, count),
    h('div', { class: 'row' }, play, first, back, forward, last),
    field(t('player.speed'), speed),
  );

  function jump(to) {
    stop();
    show(to);
  }

  function show(to) {
    const near = Math.abs(to - at) === 1;
    at = Math.min(steps.length, Math.max(0, to));
    view.show(boards[at], { animate: near });
    slider.value = at;
    const text = t('player.step', { step: at, steps: steps.length });
    slider.setAttribute('aria-valuetext', text);
    count.textContent = `${at} / ${steps.length}`;
    first.disabled = back.disabled = at === 0;
    forward.disabled = last.disabled = at === steps.length;
    onStep(at);
  }

  function run() {
    stop();
    if (at === steps.length) show(0);
    timer = setInterval(() => {
      show(at + 1);
      if (at === steps.length) stop();
    }, 1000 / settings.speed);
    play.textContent = t('player.pause');
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = t('player.play');
  }

  play.disabled = !steps.length;
  show(0);
  return { element, go: jump, destroy: stop };
}

/** Tiles that can be told apart, though equal labels may stand on them. */
function distinct(tiles) {
  const labels = new Map();
  const ids = tiles.map((tile, cell) => {
    if (tile) labels.set(cell + 1, tile);
    return tile ? cell + 1 : 0;
  });
  return { ids, labels };
}

/** The boards before, between and after the steps. */
function positions(grid, tiles, steps) {
  const boards = [tiles];
  for (const letters of steps) {
    const now = boards.at(-1);
    boards.push(walked(now, walkOf(grid, now.indexOf(0), letters)));
  }
  return boards;
}
