// Pictures in SVG: small boards, the blank's walk, inversions as arcs.

import { svg } from './dom.js';

/** The gap between two layers, in cells. */
export const LAYER_GAP = 0.5;

/** Where the cells of a grid lie, in units of a cell: layers stand side by side. */
export function layout(grid) {
  const [layers, rows, columns] = grid.sizes;
  const at = (cell) => {
    const [layer, row, column] = grid.place(cell);
    return [layer * (columns + LAYER_GAP) + column, row];
  };
  return { width: layers * columns + (layers - 1) * LAYER_GAP, height: rows, at };
}

/**
 * A still picture of a board. `label` is its spoken name, without one it is mere decoration;
 * `marked` tiles stand out; `walk` is a way of the blank, drawn under the numbers.
 */
export function boardPicture(grid, tiles, { label, marked = [], walk } = {}) {
  const { width, height, at } = layout(grid);
  const places = tiles.map((tile, cell) => [tile, ...at(cell)]);
  const boxes = places.map(([tile, x, y]) => {
    const kind = tile ? (marked.includes(tile) ? 'cell marked' : 'cell') : 'cell gap';
    return svg('rect', {
      class: kind,
      x: x + 0.04,
      y: y + 0.04,
      width: 0.92,
      height: 0.92,
      rx: 0.12,
    });
  });
  const numbers = places
    .filter(([tile]) => tile)
    .map(([tile, x, y]) =>
      svg('text', { x: x + 0.5, y: y + 0.52, 'font-size': tile > 99 ? 0.36 : 0.46 }, tile),
    );
  const name = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' };
  return svg(
    'svg',
    { class: 'picture', viewBox: `0 0 ${width} ${height}`, ...name },
    boxes,
    walk?.length ? walkLines(grid, tiles.indexOf(0), walk) : null,
    numbers,
  );
}

/** A way of the blank over the cells: a line with a ring where it starts and a dot where it ends. */
function walkLines(grid, start, walk) {
  const { at } = layout(grid);
  const stops = [start, ...walk].map((cell) => at(cell).map((value) => value + 0.5));
  const lines = stops.slice(1).map(([x, y], i) => {
    const [x0, y0] = stops[i];
    const leaps = grid.torus && Math.hypot(x - x0, y - y0) > 1.01;
    return leaps ? null : svg('line', { class: 'walk', x1: x0, y1: y0, x2: x, y2: y });
  });
  const ring = (kind, [cx, cy], r) => svg('circle', { class: kind, cx, cy, r });
  return [lines, ring('stop first', stops[0], 0.16), ring('stop', stops.at(-1), 0.32)];
}

/** The next moves: on the edge that each tile crosses a pointer with the number of the move. */
export function hintPicture(grid, blank, walk) {
  const { at } = layout(grid);
  const pointers = walk.map((cell, i) => {
    const [to, from] = [at(i ? walk[i - 1] : blank), at(cell)];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const near = Math.hypot(dx, dy) < 1.01;
    // Beside the numbers of the tiles: off the middle of an edge, in the corner of a tile that leaps.
    const [x, y] = near
      ? [from[0] + (dx ? 0.5 + dx / 2 : 0.66), from[1] + (dy ? 0.5 + dy / 2 : 0.78)]
      : [from[0] + 0.78, from[1] + 0.22];
    const turn = (Math.atan2(dy, dx) * 180) / Math.PI + (near || !grid.torus ? 0 : 180);
    return svg(
      'g',
      { class: i ? 'pointer' : 'pointer next', transform: `translate(${x} ${y})` },
      svg('path', {
        d: 'M -0.2 -0.17 H 0.08 L 0.26 0 L 0.08 0.17 H -0.2 Z',
        transform: `rotate(${turn})`,
      }),
      svg(
        'text',
        { x: Math.cos((turn * Math.PI) / 180) * -0.02, y: 0.01, 'font-size': 0.24 },
        i + 1,
      ),
    );
  });
  return overlay(grid, pointers.reverse());
}

function overlay(grid, ...children) {
  const { width, height } = layout(grid);
  const viewBox = `0 0 ${width} ${height}`;
  return svg('svg', { class: 'overlay', viewBox, 'aria-hidden': 'true' }, children);
}

/** The tiles in a row, the blank left out, with an arc over each pair in the wrong order. */
export function inversionArcs(tiles, pairs, label) {
  const cells = tiles.map((_, cell) => cell).filter((cell) => tiles[cell] !== 0);
  const x = new Map(cells.map((cell, i) => [cell, i + 0.5]));
  const reach = Math.max(1, ...pairs.map(([a, b]) => x.get(b) - x.get(a)));
  const height = Math.min(reach / 2, 3) + 0.2;
  const arc = ([a, b]) => {
    const [left, right] = [x.get(a), x.get(b)];
    const rise = ((right - left) / reach) * (height - 0.2);
    return svg('path', {
      class: 'arc',
      d: `M ${left} ${height} A ${(right - left) / 2} ${rise} 0 0 1 ${right} ${height}`,
    });
  };
  const boxes = cells.map((cell) => [
    svg('rect', {
      class: 'cell',
      x: x.get(cell) - 0.44,
      y: height + 0.06,
      width: 0.88,
      height: 0.88,
      rx: 0.12,
    }),
    svg('text', { x: x.get(cell), y: height + 0.52, 'font-size': 0.44 }, tiles[cell]),
  ]);
  return svg(
    'svg',
    {
      class: 'picture arcs',
      role: 'img',
      'aria-label': label,
      viewBox: `0 0 ${cells.length} ${height + 1}`,
    },
    pairs.map(arc),
    boxes,
  );
}
