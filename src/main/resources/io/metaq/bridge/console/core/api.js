import { Problem } from './problem.js';

const PATIENCE_MS = 20_000;

/** Path of an API resource from its names: path`topics/${name}`. */
export function path(strings, ...names) {
  return '/v1/' + strings.reduce((all, text, i) => all + encodeURIComponent(names[i - 1]) + text);
}

export const get = (at, signal) => call('GET', at, undefined, signal);
export const put = (at, body) => call('PUT', at, body);
export const post = (at, body) => call('POST', at, body);
export const remove = (at) => call('DELETE', at);

/** Parameters that are empty are left out. */
export function query(at, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? at + '?' + new URLSearchParams(given) : at;
}

/** What the server answers, or a Problem, whatever fails. */
async function call(method, at, body, signal) {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let response;
  let text;
  try {
    response = await fetch(at, {
      method,
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await response.text();
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw patience.aborted ? Problem.timedOut() : Problem.unreachable();
  }
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    throw Problem.foreign(response.status);
  }
  if (!response.ok) throw Problem.of(answer, response.status);
  return answer;
}
