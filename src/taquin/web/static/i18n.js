// The page's texts: two catalogues a language. `{name}` is the place of a value, and
// `{name:move|moves}` that of a word which follows it: the first for one, the second for others.

export const LANGUAGES = ['en', 'vi', 'zh'];

const catalogues = {};

/** Load a language, once. */
export async function load(lang) {
  catalogues[lang] ??= await fetchCatalogue(lang);
  return catalogues[lang];
}

async function fetchCatalogue(lang) {
  const parts = ['', '.rooms'].map(async (part) => {
    const answer = await fetch(new URL(`texts/${lang}${part}.json`, import.meta.url));
    return answer.ok ? answer.json() : {};
  });
  return Object.assign({}, ...(await Promise.all(parts)));
}

/** A function `t(key, values)` for a language that is loaded. */
export function translator(lang) {
  const texts = catalogues[lang];
  return (key, values = {}) =>
    (texts[key] ?? key).replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
      if (!(name in values)) return whole;
      if (many === undefined) return values[name];
      return Number(values[name]) === 1 ? one : many;
    });
}

/** The language of the visitor: the one chosen before, or the browser's, or English. */
export function preferred(chosen) {
  const wishes = [chosen, ...navigator.languages].filter(Boolean).map((tag) => tag.slice(0, 2));
  return wishes.find((tag) => LANGUAGES.includes(tag)) ?? 'en';
}

/** Fill every element that names a text: `data-t` for its content, `data-t-label` for its name. */
export function fillTexts(root, t) {
  for (const element of root.querySelectorAll('[data-t]'))
    element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll('[data-t-label]')) {
    element.setAttribute('aria-label', t(element.dataset.tLabel));
  }
}
