import { get, path, query } from '../core/api.js';

// The ways to find messages. Each gives {messages, next, back}: next and back are parameters of the pages around this one, or null.

const PAGE = 50;
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
  const { queues } = await get(path`topics/${topic}`, signal);
  const filled = queues.filter((each) => BigInt(each.maxOffset) > BigInt(each.minOffset))
    .sort((one, other) => String(other.lastStoredAt ?? '').localeCompare(String(one.lastStoredAt ?? ''))).slice(0, MOST_QUEUES);
  const each = Math.max(4, Math.ceil(PAGE / Math.max(1, filled.length)));
  const reads = await Promise.all(filled.map((one) => {
    const from = BigInt(one.maxOffset) - BigInt(each);
    return get(query(path`topics/${topic}/queues/${one.broker}/${one.queueId}/messages`,
      { offset: from < BigInt(one.minOffset) ? one.minOffset : from, max: each }), signal);
  }));
  const messages = reads.flatMap((read) => read.messages).sort((one, other) => other.storedAt.localeCompare(one.storedAt)
    || one.queueId - other.queueId || Number(BigInt(other.queueOffset) - BigInt(one.queueOffset)));
  return { messages: messages.slice(0, PAGE), next: null, back: null };
}

/** From a time on, all queues together; the oldest first. */
async function time({ topic, from, cursor }, signal) {
  const read = await get(query(path`topics/${topic}/messages`, cursor ? { cursor, max: PAGE } : { from: sinceOf(from),
    max: PAGE }), signal);
  return { messages: read.messages, next: read.end ? null : { cursor: read.cursor }, back: cursor ? 'history' : null };
}

/** earliest, a time, or as long ago as -15m says. */
export function sinceOf(from) {
  const ago = /^-(\d+)([mhd])$/.exec(from);
  return ago ? new Date(Date.now() - ago[1] * { m: 60e3, h: 3600e3, d: 86400e3 }[ago[2]]).toISOString() : from;
}

async function queue({ topic, queue: name, offset }, signal) {
  const { broker, queueId } = await queueOf(topic, name, signal);
  const read = await get(query(path`topics/${topic}/queues/${broker}/${queueId}/messages`, { offset: offset || 0, max: PAGE }),
    signal);
  const first = BigInt(read.messages[0]?.queueOffset ?? (offset || 0));
  const before = first - BigInt(PAGE);
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
