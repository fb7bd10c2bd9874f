// What a visitor chose, kept in the browser between visits.

const DEFAULTS = {
  lang: null, // none chosen: the browser's
  theme: 'auto', // 'auto' | 'light' | 'dark'
  arrows: 'tile', // the arrow keys move the 'tile' or the 'blank'
  colours: 'none', // 'none' | 'row' | 'placed'
  numbers: true, // over a picture
  clock: true, // shown
  speed: 2, // steps a second of a way that is played
  letters: true, // keys such as W and H do something
};

/** The settings as they are; change them by `saveSettings`. */
export const settings = { ...DEFAULTS, ...recall('settings') };

/** Change some settings and keep them. */
export function saveSettings(changes) {
  Object.assign(settings, changes);
  keep('settings', settings);
}

/** Keep a value between visits; false if the browser has no room for it. */
export function keep(name, value) {
  try {
    localStorage.setItem(`taquin.${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** A value kept before, or null. */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`taquin.${name}`));
  } catch {
    return null;
  }
}
