// Elements from plain calls. Text only ever becomes text nodes, so nothing pasted is run.

const SVG = 'http://www.w3.org/2000/svg';

/** An HTML element: `h('button', {type: 'button', onclick: act}, 'text', child)`. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An SVG element, made in the same way. */
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

let fields = 0;

/** A control under its visible name. */
export function field(name, control, ...after) {
  control.id ||= `field-${++fields}`;
  return h('div', { class: 'field' }, h('label', { for: control.id }, name), control, ...after);
}

/** A drop-down list of [value, text] pairs. */
export function select(choices, chosen, onchange) {
  const list = h('select', { onchange: () => onchange(list.value) });
  list.append(...choices.map(([value, text]) => h('option', { value }, text)));
  list.value = chosen;
  return list;
}

/** A box to tick, with its name. */
export function tick(name, checked, onchange) {
  const box = h('input', { type: 'checkbox', onchange: () => onchange(box.checked) });
  box.checked = checked;
  return h('label', { class: 'tick' }, box, h('span', {}, name));
}

/** Whether keys that are typed belong to the element: fields, lists and sliders keep theirs. */
export function wantsKeys(element) {
  return (
    element instanceof Element && element.matches('input:not([type=checkbox]), select, textarea')
  );
}
