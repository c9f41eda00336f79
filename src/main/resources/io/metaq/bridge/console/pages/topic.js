import { html, nothing } from '../core/lib.js';
import { path, remove } from '../core/api.js';
import { go, link } from '../core/router.js';
import { between, bytesRate, count, plural, rate, text } from '../core/format.js';
import { Series } from '../core/series.js';
import { Trends } from '../core/trends.js';
import { ask } from '../parts/dialog.js';
import { typed } from '../parts/fields.js';
import { age, number, stat, when } from '../parts/figures.js';
import { empty, loaded, without } from '../parts/notice.js';
import { say } from '../parts/said.js';
import { spark } from '../parts/spark.js';
import { table } from '../parts/table.js';
import { kept, kind, lastStored } from './topics.js';
import { sendMessage } from './send.js';
import '../parts/chart.js';

const EVERY_MS = 2000;

export function open(page) {
  const name = page.names[1];
  const flow = new Series(1);
  const trends = new Trends();
  const topic = page.watch(path`topics/${name}`, EVERY_MS);
  page.every(EVERY_MS, topic, () => {
    flow.add([topic.value?.messagesPerSecond]);
    topic.value?.queues.forEach((queue) => trends.add(queueName(queue), queue.messagesPerSecond));
  });

  return () => html`<header class="page-head"><div><a class="crumb" href="#/topics">Topics</a>
      <h1 tabindex="-1">${name}</h1>${topic.value ? html`<p class="row-line">${kind(topic.value, topic.value)}</p>` : nothing}</div>
      <div class="actions">
        <a class="button" href=${link(['messages'], { topic: name })}>Messages</a>
        <a class="button" href=${link(['tail'], { topic: name })}>Live tail</a>
        <button data-new @click=${() => sendMessage(name)}>Send</button>
        <button class="danger-quiet" @click=${() => deleteTopic(name, topic.value)}>Delete</button></div></header>
    ${loaded(topic, (value) => content(value, flow, trends), 8)}`;
}

const queueName = (queue) => `${queue.broker}:${queue.queueId}`;

function content(topic, flow, trends) {
  return html`${without(topic.missing)}<dl class="stats">
      ${stat('Messages', [count(kept(topic)), ''], { title: 'Kept, in all queues' })}
      ${stat('In', rate(topic.storedPerSecond ?? topic.messagesPerSecond), { title: 'Mean of a minute',
        note: topic.storedBytesPerSecond == null ? '' : text(bytesRate(topic.storedBytesPerSecond)) })}
      ${stat('Queues', [count(topic.queues.length), ''], { note: plural(new Set(topic.queues.map((queue) => queue.broker)).size,
        'broker') })}
      ${stat('Last message', lastStored(topic) ? [age(lastStored(topic)), 'ago'] : ['–', ''],
        { title: lastStored(topic) ?? 'none' })}
    </dl>
    <div class="charts"><mq-chart class="panel" .heading=${'Messages'} .lines=${[{ name: 'in', tone: 'c1' }]} .show=${rate}
      .top=${10}
      .data=${[...flow.columns]}></mq-chart></div>
    <h2>Groups that read it</h2>
    ${readers(topic)}
    <h2>Queues</h2>
    ${queues(topic, trends)}`;
}

function readers(topic) {
  const rows = topic.readers ?? topic.groups.map((group) => ({ group, lag: null, readPerSecond: null }));
  if (!rows.length) return empty('No group has read it', html`<span>A group appears when its first member connects.</span>`);
  return table({ label: 'Groups', rows, key: (row) => row.group, columns: [
    { name: 'group', title: 'Group', main: true, cell: (row) => html`<a href=${link(['groups', row.group])}>${row.group}</a>` },
    { name: 'lag', title: 'Waiting', num: true, cell: (row) => number(row.lag) },
    { name: 'rate', title: 'Consumed', num: true, cell: (row) => number(row.readPerSecond, rate) },
  ] });
}

function queues(topic, trends) {
  return table({ label: 'Queues', rows: topic.queues, key: queueName, columns: [
    { name: 'queue', title: 'Queue', main: true, cell: (row) => html`<a href=${link(['messages'], { topic: topic.topic, by: 'queue',
      queue: queueName(row), offset: row.minOffset })}>${row.broker} · ${row.queueId}</a>` },
    { name: 'messages', title: 'Messages', num: true, cell: (row) => number(between(row.minOffset, row.maxOffset)) },
    { name: 'min', title: 'First offset', num: true, cell: (row) => number(row.minOffset) },
    { name: 'max', title: 'Next offset', num: true, cell: (row) => number(row.maxOffset) },
    { name: 'rate', title: 'Rate', num: true, cell: (row) => html`${number(row.messagesPerSecond,
      rate)}${spark(trends.of(queueName(row)))}` },
    { name: 'last', title: 'Last message', num: true, cell: (row) => when(row.lastStoredAt, 'none') },
  ] });
}

function deleteTopic(name, topic) {
  let typedName = '';
  ask({
    title: 'Delete this topic?',
    verb: 'Delete topic',
    danger: true,
    valid: () => typedName === name,
    fields: () => html`<p>Topic <strong>${name}</strong> is deleted at every broker, with its settings and how far its groups have
      read. This cannot be undone. ${topic?.groups.length ? html`It is read by ${topic.groups.join(', ')}.` : nothing}</p>
      <p>${topic && kept(topic) !== null
        ? html`Its <strong>${plural(kept(topic), 'message')}</strong> in ${plural(topic.queues.length, 'queue')}`
        : 'Its messages'} stay on disk until they expire, and nobody can read them. A topic made anew by this name goes
        on behind them: who reads it from the beginning gets them, too.</p>
      ${typed(name, 'topic', typedName, (text) => { typedName = text; })}`,
    async act() {
      await remove(path`topics/${name}`);
      say(`Topic ${name} is deleted`);
      go(['topics']);
    },
  });
}
