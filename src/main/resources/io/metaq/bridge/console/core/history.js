import { connection, watch } from './live.js';
import { path } from './api.js';
import { Series } from './series.js';
import { cell } from './cell.js';

// The last five minutes of the cluster's figures. They are kept from the first time they are looked at on, also while another page
// is shown, so that a look elsewhere leaves no hole.

const EVERY_MS = 1000;

/** What the brokers said last; null before. */
export const stats = cell(null);
export const trouble = cell(null);
/** Counts the moments there are figures of. */
export const moment = cell(0);

/** In, out: messages, bytes. */
export const flow = new Series(2);
export const volume = new Series(2);
/** p50, p99, p99.9 of a send. */
export const latency = new Series(3);
/** Bytes: the slowest slave; not in queues, not on disk; share of the fullest disk. */
export const behind = new Series(1);
export const dispatch = new Series(2);
export const disk = new Series(1);

let running = false;

/** Begins it, once. */
export function keepHistory() {
  if (running) return;
  running = true;
  watch(path`stats`, EVERY_MS, ({ value, problem }) => {
    trouble.set(problem ?? null);
    if (!value) return;
    const first = !stats.get();
    stats.set(value.brokers);
    if (first) sample();
  });
  setInterval(sample, EVERY_MS);
}

/** A moment of each figure: views come only when something has changed, a line goes on. */
function sample() {
  if (!stats.get()) return;
  const brokers = connection.get() === 'live' && !trouble.get() ? stats.get() : [];
  const masters = brokers.filter((broker) => broker.role === 'MASTER');
  flow.add([sum(masters, (broker) => broker.storedPerSecond), sum(brokers, (broker) => broker.readPerSecond)]);
  volume.add([sum(masters, (broker) => broker.storedBytesPerSecond), sum(brokers, (broker) => broker.readBytesPerSecond)]);
  latency.add(['p50', 'p99', 'p999'].map((part) => most(masters, (broker) => broker.sendLatencyMs[part])));
  behind.add([replicationLag(brokers)]);
  dispatch.add([sum(masters, (broker) => broker.log.dispatchLagBytes), sum(masters, (broker) => broker.log.unflushedBytes)]);
  disk.add([most(brokers, (broker) => broker.disk.usedRatio)]);
  moment.set(moment.get() + 1);
}

/** Of those that tell; null when none does. */
function sum(brokers, figure) {
  const told = brokers.map(figure).filter((value) => value != null);
  return told.length ? told.reduce((all, value) => all + Number(value), 0) : null;
}

function most(brokers, figure) {
  const told = brokers.map(figure).filter((value) => value != null);
  return told.length ? Math.max(...told.map(Number)) : null;
}

/** Bytes of the slave that is furthest behind; null when there is none. */
function replicationLag(brokers) {
  return most(brokers.flatMap((broker) => [
    ...(broker.replication?.followers ?? []), ...(broker.replication?.master ? [broker.replication.master] : []),
  ]), (link) => link.lagBytes);
}
