// How the board looks and answers: picture, numbers, colours, keys.

import { field, h, select, tick } from '../dom.js';
import { readPhoto } from '../photo.js';

/** Returns `{element, show(picture)}`; `onPhoto(url)` is called with a picture, or null for none. */
export function looks(app, { onLook, onPhoto }) {
  const { t, settings, saveSettings } = app;
  const change = (name) => (value) => {
    saveSettings({ [name]: value });
    onLook();
  };
  const file = h('input', { type: 'file', class: 'hush', accept: 'image/*', onchange: take });
  const choose = h('label', { class: 'button' }, t('play.photo.choose'), file);
  const told = h('p', { class: 'fault', role: 'alert' });
  const goal = h('img', { class: 'photo', alt: t('play.photo.goal') });
  const remove = h(
    'button',
    { type: 'button', onclick: () => onPhoto(null) },
    t('play.photo.remove'),
  );
  const numbers = tick(t('play.numbers'), settings.numbers, change('numbers'));
  const pictured = h('div', { class: 'stack' }, goal, numbers, remove);
  pictured.hidden = true;

  const element = h(
    'section',
    { class: 'panel' },
    h('h2', {}, t('play.looks')),
    field(
      t('play.colours'),
      select(
        ['none', 'row', 'placed'].map((name) => [name, t(`play.colours.${name}`)]),
        settings.colours,
        change('colours'),
      ),
    ),
    h('div', { class: 'field' }, choose, h('p', { class: 'small' }, t('play.photo.stays')), told),
    pictured,
    field(
      t('play.arrows'),
      select(
        ['tile', 'blank'].map((name) => [name, t(`play.arrows.${name}`)]),
        settings.arrows,
        change('arrows'),
      ),
    ),
    h(
      'div',
      {},
      tick(t('play.letters'), settings.letters, change('letters')),
      tick(t('play.clock'), settings.clock, change('clock')),
    ),
    keysHelp(t),
  );

  async function take() {
    const [chosen] = file.files;
    if (!chosen) return;
    told.textContent = '';
    try {
      onPhoto(await readPhoto(chosen));
    } catch (error) {
      told.textContent = t(`play.photo.no.${error.kind}`, { name: chosen.name });
      file.value = '';
    }
  }

  function show(picture) {
    pictured.hidden = !picture;
    if (picture) goal.src = picture;
    else file.value = '';
  }

  return { element, show };
}

function keysHelp(t) {
  const line = (keys, text) =>
    h(
      'tr',
      {},
      h(
        'td',
        {},
        keys.map((name) => h('kbd', {}, name)),
      ),
      h('td', {}, text),
    );
  return h(
    'details',
    { class: 'keys' },
    h('summary', {}, t('play.keys')),
    h(
      'table',
      {},
      line(['←', '↑', '→', '↓'], t('play.keys.arrows')),
      line(['W', 'A', 'S', 'D'], t('play.keys.letters')),
      line(['PgUp', 'PgDn', 'Q', 'E'], t('play.keys.layers')),
      line(['H'], t('play.keys.hint')),
      line(['Z', 'Y'], t('play.keys.undo')),
      line(['P'], t('play.keys.pause')),
    ),
  );
}
