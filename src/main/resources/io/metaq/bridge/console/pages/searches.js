import { get, path, query } from '../core/api.js';

// The ways to find messages. Each gives {messages, next, back}: next and back are parameters of the pages around this one, or null.

const PAGE = 50;
// As many as brokers give at once, unless set otherwise.
const QUEUE_PAGE = 32;
const MOST_QUEUES = 32;

export const WAYS = [['newest', 'Newest'], ['time', 'Time'], ['queue', 'Queue'], ['key', 'Key'], ['id', 'Id']];

/** What is still missing before it can be looked; empty when nothing is. */
export function lacking({ topic, by, key, id }) {
  if (by === 'id') return id ? '' : 'id';
  if (!topic) return 'topic';
  return by === 'key' && !key ? 'key' : '';
}

export function look(wanted, signal) {
  return { newest, time, queue, key, id }[wanted.by](wanted, signal);
}

/** The last of each queue, together; the newest first. */
async function newest({ topic }, signal) {
  const { queues, missing } = await get(path`topics/${topic}`, signal);
  const filled = queues.filter((each) => BigInt(each.maxOffset) > BigInt(each.minOffset))
    .sort((one, other) => String(other.lastStoredAt ?? '').localeCompare(String(one.lastStoredAt ?? ''))).slice(0, MOST_QUEUES);
  const each = Math.max(4, Math.ceil(PAGE / Math.max(1, filled.length)));
  const reads = await Promise.all(filled.map((one) => lastOf(topic, one, each, signal)));
  const messages = reads.flat().sort((one, other) => other.storedAt.localeCompare(one.storedAt)
    || one.queueId - other.queueId || Number(BigInt(other.queueOffset) - BigInt(one.queueOffset)));
  return { messages: messages.slice(0, PAGE), next: null, back: null, missing };
}

/** The last messages of a queue: a read may give fewer than it is asked for, so it is read on to the end that the queue had. */
async function lastOf(topic, { broker, queueId, minOffset, maxOffset }, most, signal) {
  const messages = [];
  let at = BigInt(maxOffset) - BigInt(most);
  if (at < BigInt(minOffset)) at = BigInt(minOffset);
  for (let reads = 0; at < BigInt(maxOffset) && reads < most; reads++) {
    const read = await get(query(path`topics/${topic}/queues/${broker}/${queueId}/messages`, { offset: at, max: most }), signal);
    messages.push(...read.messages);
    at = BigInt(read.nextOffset);
  }
  return messages;
}

/** From a time on, all queues together; the oldest first. */
async function time({ topic, from, cursor }, signal) {
  const read = await get(query(path`topics/${topic}/messages`, cursor ? { cursor, max: PAGE } : { from: sinceOf(from),
    max: PAGE }), signal);
  return { messages: read.messages, next: read.end ? null : { cursor: read.cursor }, back: cursor ? 'history' : null,
    missing: read.missing };
}

/** earliest, a time, or as long ago as -15m says. */
export function sinceOf(from) {
  const ago = /^-(\d+)([mhd])$/.exec(from);
  return ago ? new Date(Date.now() - ago[1] * { m: 60e3, h: 3600e3, d: 86400e3 }[ago[2]]).toISOString() : from;
}

async function queue({ topic, queue: name, offset }, signal) {
  const { broker, queueId } = await queueOf(topic, name, signal);
  const at = path`topics/${topic}/queues/${broker}/${queueId}/messages`;
  const read = await get(query(at, { offset: offset || 0, max: QUEUE_PAGE }), signal);
  const first = BigInt(read.messages[0]?.queueOffset ?? (offset || 0));
  const before = first - BigInt(QUEUE_PAGE);
  return {
    messages: read.messages,
    next: BigInt(read.nextOffset) < BigInt(read.maxOffset) ? { offset: read.nextOffset } : null,
    back: first > BigInt(read.minOffset) ? { offset: String(before < BigInt(read.minOffset) ? read.minOffset : before) } : null,
    range: { minOffset: read.minOffset, maxOffset: read.maxOffset },
  };
}

/** broker:0; without a name, the first of the topic. */
async function queueOf(topic, name, signal) {
  if (name) return { broker: name.slice(0, name.lastIndexOf(':')), queueId: name.slice(name.lastIndexOf(':') + 1) };
  return (await get(path`topics/${topic}`, signal)).queues[0];
}

async function key({ topic, key: wanted }, signal) {
  const { messages } = await get(query(path`topics/${topic}/messages`, { key: wanted, max: PAGE }), signal);
  return { messages, next: null, back: null };
}

async function id({ topic, id: wanted }, signal) {
  return { messages: [await get(query(path`messages/${wanted}`, { topic }), signal)], next: null, back: null };
}
