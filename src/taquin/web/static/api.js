// Questions to the server. Every failure is a `Refused` with a sentence's kind and text.

/** What the server refused, or that it cannot be reached (`kind === 'Offline'`). */
export class Refused extends Error {
  constructor({ kind, message, ...more }, status = 0) {
    super(message);
    Object.assign(this, { kind, status, more });
  }
}

/** The answer to one question: `post('/api/check', {board})`. */
export async function post(path, body, signal) {
  return (await ask(path, { method: 'POST', ...asJson(body) }, signal)).json();
}

/** The answer to a plain GET. */
export async function get(path, signal) {
  return (await ask(path, {}, signal)).json();
}

/**
 * Send a long question; `onLine` is called with each line, parsed. Resolves with the `result` of
 * the last line; an `error` line, or an end without a result, rejects. Aborting `signal` closes
 * the request, and the server stops the work.
 */
export async function stream(path, body, onLine, signal) {
  const answer = await ask(path, { method: 'POST', ...asJson(body) }, signal);
  let last = null;
  for await (const line of lines(answer.body)) {
    last = JSON.parse(line);
    if (last.error) throw new Refused(last.error);
    onLine(last);
  }
  if (!last || !('result' in last)) throw offline();
  return last.result;
}

function asJson(body) {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

async function ask(path, request, signal) {
  let answer;
  try {
    answer = await fetch(path, { ...request, signal });
  } catch (error) {
    throw error.name === 'AbortError' ? error : offline();
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Refused(told.error ?? { kind: 'Unknown', message: '' }, answer.status);
}

function offline() {
  return new Refused({ kind: 'Offline', message: '' });
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw error.name === 'AbortError' ? error : offline();
    });
    const parts = (rest + (value ?? '')).split('\n');
    rest = done ? '' : parts.pop();
    for (const line of parts) if (line.trim()) yield line;
    if (done) return;
  }
}
