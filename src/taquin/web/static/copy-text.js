// A text in one of several forms, and a button that copies it.

import { field, h, select } from './dom.js';

/** `forms` is a list of [name, text]; `label` names the list. */
export function copyText(app, label, forms) {
  const { t } = app;
  const texts = new Map(forms);
  const text = h('pre', { class: 'copied', tabindex: 0, role: 'region', 'aria-label': label });
  const show = (name) => (text.textContent = texts.get(name));
  const list = select(
    forms.map(([name]) => [name, name]),
    forms[0][0],
    show,
  );
  const copy = h('button', { type: 'button', onclick: act }, t('shell.copy'));

  async function act() {
    const done = await navigator.clipboard?.writeText(text.textContent).then(
      () => true,
      () => false,
    );
    copy.textContent = t(done ? 'shell.copied' : 'shell.copy.hand');
    if (!done) getSelection().selectAllChildren(text);
    app.announce(copy.textContent);
  }

  show(forms[0][0]);
  list.addEventListener('change', () => (copy.textContent = t('shell.copy')));
  const choice = forms.length > 1 ? field(label, list) : null;
  return h('div', { class: 'stack' }, h('div', { class: 'row copy-row' }, choice, copy), text);
}
