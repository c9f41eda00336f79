import { connect } from '/metaq.js';
import { cell } from './cell.js';
import { Problem } from './problem.js';

const mq = connect();

/** How the console stands with its server: connecting, live, or lost. */
export const connection = cell('connecting');
mq.on('open', () => connection.set('live'));
mq.on('close', () => connection.set('lost'));

/** Tells of a path now and whenever it changes: {value} or {problem}. Returns what ends it. */
export function watch(path, everyMs, told) {
  const views = mq.watch(path, { everyMs });
  follow(views, told);
  return () => views.return();
}

async function follow(views, told) {
  try {
    for await (const { status, value } of views) told(status < 400 ? { value } : { problem: Problem.of(value, status) });
  } catch (failure) {
    told({ problem: Problem.from(failure) });
  }
}

/** Messages of a topic, for `for await`; it reads beside all groups. */
export function subscribe(topic, options) {
  return mq.subscribe(topic, options);
}
