// Addresses such as `#/play/4x4:snake/1.2.3.0?seed=7`: the room, the puzzle, the board, the rest.

/** Read a hash: `{room, params: {puzzle, board, ...}}`. */
export function readRoute(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [room = '', puzzle = '', board = ''] = path.split('/').map(decode);
  const params = Object.fromEntries(new URLSearchParams(query));
  if (puzzle) params.puzzle = puzzle;
  if (board) params.board = board.replaceAll('.', ' ');
  return { room, params };
}

/** The hash of a room; `board` is a list of tiles or a text. */
export function link(room, { puzzle, board, ...rest } = {}) {
  const tiles = Array.isArray(board) ? board.join('.') : board?.trim().split(/\s+/).join('.');
  const path = [room, puzzle, tiles].map((part) => encode(part ?? ''));
  while (path.at(-1) === '') path.pop();
  const query = new URLSearchParams(Object.entries(rest).filter(([, value]) => value != null));
  return `#/${path.join('/')}${query.size ? `?${query}` : ''}`;
}

/** Colons and commas may stand in a hash, and read better. */
function encode(text) {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',');
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
