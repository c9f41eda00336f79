import { html, nothing } from '../core/lib.js';
import { path, remove } from '../core/api.js';
import { go, link } from '../core/router.js';
import { count, plural, rate, span } from '../core/format.js';
import { Series } from '../core/series.js';
import { Trends } from '../core/trends.js';
import { ask } from '../parts/dialog.js';
import { typed } from '../parts/fields.js';
import { age, number, stat, when } from '../parts/figures.js';
import { empty, loaded, without } from '../parts/notice.js';
import { icon } from '../parts/icons.js';
import { say } from '../parts/said.js';
import { spark } from '../parts/spark.js';
import { table } from '../parts/table.js';
import { resetGroup } from './reset-group.js';
import '../parts/chart.js';

const EVERY_MS = 2000;
const DASH = ['–', ''];

export function open(page) {
  const name = page.names[1];
  const lag = new Series(1);
  const trends = new Trends();
  const group = page.watch(path`groups/${name}`, EVERY_MS);
  page.every(EVERY_MS, group, () => {
    lag.add([group.value?.lag == null ? null : Number(group.value.lag)]);
    group.value?.queues.forEach((queue) => trends.add(queueName(queue), Number(queue.lag)));
  });

  return () => html`<header class="page-head"><div><a class="crumb" href="#/groups">Groups</a><h1 tabindex="-1">${name}</h1>
      ${group.value ? html`<p>${mode(group.value)}</p>` : nothing}</div>
      <div class="actions">
        <button ?disabled=${!group.value} @click=${() => resetGroup(group.value)}>Reset…</button>
        <button class="danger-quiet" ?disabled=${!group.value} @click=${() => deleteGroup(name,
          group.value)}>Delete</button></div></header>
    ${loaded(group, (value) => content(value, lag, trends), 8)}`;
}

const queueName = (queue) => `${queue.topic} ${queue.broker}:${queue.queueId}`;

function mode({ messageModel, mode: how, members, missing }) {
  if (!members.length && missing?.length) return 'Who is connected is not known';
  if (!members.length) return 'Nobody is connected; the brokers keep its offsets';
  return [messageModel?.toLowerCase(), how?.toLowerCase()].filter(Boolean).join(' · ');
}

function content(group, lag, trends) {
  const oldest = group.oldestUnacknowledgedAt;
  return html`
    ${without(group.missing)}
    ${contradictions(group)}
    <dl class="stats">
      ${stat('Waiting', [count(group.lag), ''], { title: 'Messages it has still to consume' })}
      ${stat('Oldest waits', oldest ? span(Date.now() - new Date(oldest)) : DASH, { title: oldest ?? 'nothing waits' })}
      ${stat('Consumed', rate(group.consumedPerSecond), { title: 'Mean of a minute, as the brokers count' })}
      ${stat('Members', [count(group.missing?.length ? null : group.members.length), ''])}
      ${side('To try again', group.retry, (retry) => retry.lag)}
      ${side('Dead letters', group.deadLetters, (dead) => dead.messages)}
    </dl>
    <div class="charts"><mq-chart class="panel" .heading=${'Messages waiting'} .lines=${[{ name: 'waiting', tone: 'c1' }]}
      .show=${(value) => [count(value), '']}
      .top=${10} .data=${[...lag.columns]}></mq-chart></div>
    <h2>Members</h2>
    ${members(group)}
    <h2>Queues</h2>
    ${queues(group, trends)}`;
}

/** What goes round beside the group's topics; none where it was never needed. */
function side(name, topic, figure) {
  if (!topic) return stat(name, ['0', ''], { title: 'never needed' });
  return stat(name, [count(figure(topic)), ''], { note: html`<a href=${link(['messages'], { topic: topic.topic })}>show</a>` });
}

function contradictions({ contradictions: told }) {
  return told.length ? html`<div class="notice bad loud"
    role="alert">${icon('warning')}<div><strong>Members of this group want different messages</strong>
    <ul>${told.map((sentence) => html`<li>${sentence}</li>`)}</ul>
    <p class="remedy">Members of one group must subscribe to the same topics with the same filters: give those that differ a group
      of their own.</p></div></div>`
    : nothing;
}

function members(group) {
  if (!group.members.length && group.missing?.length) return empty('Who is connected is not known');
  if (!group.members.length) return empty('Nobody is connected', html`<span>Messages wait for the next member.</span>`);
  return table({ label: 'Members', rows: group.members, key: (row) => row.clientId, columns: [
    { name: 'client', title: 'Client', main: true, cell: (row) => html`<span tabindex="-1">${row.clientId}</span>
      ${row.fault ? html`<span class="badge warn" title=${row.fault}>no details</span>` : nothing}` },
    { name: 'address', title: 'Address', cell: (row) => row.address },
    { name: 'language', title: 'Client kind', cell: (row) => html`${row.language}<small>${row.release ?? row.version}</small>` },
    { name: 'queues', title: 'Queues', num: true, cell: (row) => number(row.queues?.length, count,
      row.fault ?? 'the member did not tell') },
    { name: 'rate', title: 'Consumed', num: true, cell: (row) => number(perSecond(row, 'consumedPerSecond'), rate,
      row.fault ?? 'the member did not tell') },
    { name: 'failed', title: 'Failed', num: true, cell: (row) => number(perSecond(row, 'failedPerSecond'), rate,
      row.fault ?? 'the member did not tell') },
    { name: 'since', title: 'Since', num: true, cell: (row) => when(row.since, 'the member did not tell') },
  ] });
}

const perSecond = (member, figure) => member.topics?.reduce((all, topic) => all + topic[figure], 0) ?? null;

function queues(group, trends) {
  if (!group.queues.length) return empty('It has read nothing yet');
  return table({ label: 'Queues', rows: ownFirst(group.queues), key: queueName, columns: [
    { name: 'queue', title: 'Queue', main: true, cell: (row) => html`<a href=${link(['messages'], { topic: row.topic, by: 'queue',
      queue: `${row.broker}:${row.queueId}`, offset: row.offset })}>${row.topic}</a><small>${row.broker} ·
        ${row.queueId}</small>` },
    { name: 'holder', title: 'Held by', cell: (row) => holder(row.heldBy) },
    { name: 'lag', title: 'Waiting', num: true, cell: (row) => html`${number(row.lag)}${spark(trends.of(queueName(row)))}` },
    { name: 'offset', title: 'Offset', num: true, cell: (row) => html`${number(row.offset)}<small>of
      ${count(row.maxOffset)}</small>` },
    { name: 'oldest', title: 'Oldest waits', num: true, cell: (row) => age(row.oldestUnacknowledgedAt, 'nothing waits') },
  ] });
}

/** Those of its topics, then those it tries again from. */
const ownFirst = (queues) => [...queues].sort((one, other) => one.topic.startsWith('%') - other.topic.startsWith('%'));

function holder(clients) {
  if (!clients) return html`<span class="unknown" title="the members did not tell">–</span>`;
  return clients.length ? html`<span class="clip holder" title=${clients.join('\n')}>${clients.join(', ')}</span>`
    : html`<span class="badge warn">nobody</span>`;
}

function deleteGroup(name, group) {
  let typedName = '';
  ask({
    title: 'Delete this group?',
    verb: 'Delete group',
    danger: true,
    valid: () => typedName === name,
    fields: () => html`<p>Group <strong>${name}</strong> loses its offsets at every broker: <strong>${group.lag === null
      ? 'messages' : plural(group.lag, 'message')}</strong> it has not
      consumed may be passed over or come again when it begins anew. This cannot be undone.
      ${group.members.length ? html`<strong>${plural(group.members.length, 'member')} ${group.members.length === 1 ? 'is'
        : 'are'} connected.</strong>` : nothing}</p>
      ${typed(name, 'group', typedName, (text) => { typedName = text; })}`,
    async act() {
      await remove(path`groups/${name}`);
      say(`Group ${name} is deleted`);
      go(['groups']);
    },
  });
}
