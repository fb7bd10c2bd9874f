// The shell: rooms, routes, language, theme. What a room gets from it is the object `app`.
//
// A room is a module that exports `title` (a text's key) and `mount(root, app)`, which returns a
// function that takes the room down again.

import * as api from './api.js';
import { boardView } from './board.js';
import * as dom from './dom.js';
import * as draw from './draw.js';
import { fillTexts, load, preferred, translator } from './i18n.js';
import * as model from './model.js';
import { player } from './player.js';
import { link, readRoute } from './route.js';
import { settings, saveSettings } from './settings.js';

const ROOMS = ['play', 'check'];

const place = (id) => document.getElementById(id);
const dark = matchMedia('(prefers-color-scheme: dark)');

const app = {
  api,
  boardView,
  player: (options) => player(app, options),
  dom,
  draw,
  model,
  settings,
  saveSettings,
  link,
  lang: 'en',
  params: {},
  t: (key) => key,
  announce,
  excuse,
  /** Open a room: `go('check', {puzzle: '4x4', board: '1 2 3 ...'})`. */
  go: (room, params = {}) => {
    location.hash = link(room, params);
  },
  /** Keep the address in step with what the room shows, without a new entry in the history. */
  keepAddress: (room, params) => {
    // The visitor may be on the way out: the address has changed, the room not yet.
    if (address().room === room) history.replaceState(null, '', link(room, params));
  },
};

/** Say something to those who listen to the page. */
function announce(text) {
  place('announcer').textContent = text;
}

/** A sentence for whatever went wrong while asking the server. */
function excuse(error) {
  if (error.kind === 'Offline') return app.t('shell.offline');
  if (error.status === 503) return app.t('shell.busy');
  return error.message || app.t('shell.failed');
}

/** The room and its parameters that the address asks for. */
function address() {
  const { room, params } = readRoute(location.hash);
  return { room: ROOMS.includes(room) ? room : ROOMS[0], params };
}

let unmount = () => {};
let opened = 0;

async function open() {
  const turn = ++opened;
  const { room, params } = address();
  const module = await import(`./rooms/${room}.js`).catch(() => null);
  if (turn !== opened) return;
  unmount();
  const root = place('room');
  root.replaceChildren();
  root.className = `room-${room}`;
  app.params = params;
  markRoom(room);
  unmount = module ? (module.mount(root, app) ?? (() => {})) : missing(root);
  document.title = `${app.t(module?.title ?? `shell.room.${room}`)} · taquin`;
}

function missing(root) {
  const again = dom.h(
    'button',
    { type: 'button', onclick: () => location.reload() },
    app.t('shell.again'),
  );
  const told = dom.h('p', { class: 'note' }, app.t('shell.missing'));
  root.append(dom.h('div', { class: 'stack' }, told, dom.h('div', { class: 'row' }, again)));
  return () => {};
}

function markRoom(room) {
  for (const anchor of place('rooms').children) {
    if (anchor.dataset.room === room) anchor.setAttribute('aria-current', 'page');
    else anchor.removeAttribute('aria-current');
  }
}

async function speak(lang) {
  await load(lang);
  Object.assign(app, { lang, t: translator(lang) });
  document.documentElement.lang = lang;
  place('rooms').replaceChildren(
    ...ROOMS.map((room) =>
      dom.h('a', { href: link(room), 'data-room': room }, app.t(`shell.room.${room}`)),
    ),
  );
  fillTexts(document, app.t);
  place('language').value = lang;
}

function paint() {
  const { theme } = settings;
  const chosen = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme;
  document.documentElement.dataset.theme = chosen;
  place('theme').value = theme;
}

function listen() {
  place('language').addEventListener('change', async (event) => {
    try {
      await speak(event.target.value);
    } catch {
      event.target.value = app.lang; // without a connection the language stays
      announce(app.t('shell.offline'));
      return;
    }
    saveSettings({ lang: app.lang });
    await open();
  });
  place('theme').addEventListener('change', (event) => {
    saveSettings({ theme: event.target.value });
    paint();
  });
  dark.addEventListener('change', paint);
  place('skip').addEventListener('click', (event) => {
    event.preventDefault();
    place('room').focus();
  });
  window.addEventListener('hashchange', open);
}

async function start() {
  paint();
  await speak(preferred(settings.lang));
  listen();
  await open();
  place('shell').hidden = false;
  // Later the connection may be gone: fetch the room that is opened next most often.
  window.requestIdleCallback?.(() => import('./rooms/check.js').catch(() => {}));
}

start();
