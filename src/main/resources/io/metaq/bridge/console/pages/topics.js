import { html, nothing } from '../core/lib.js';
import { path } from '../core/api.js';
import { link, note } from '../core/router.js';
import { count, known, plural, rate } from '../core/format.js';
import { Trends } from '../core/trends.js';
import { empty, loaded, without } from '../parts/notice.js';
import { number, when } from '../parts/figures.js';
import { search, toggle } from '../parts/fields.js';
import { icon } from '../parts/icons.js';
import { inOrder, sortOf, sortText, table } from '../parts/table.js';
import { spark } from '../parts/spark.js';
import { createTopic } from './create-topic.js';

const EVERY_MS = 3000;
const PAGE_SIZE = 50;
// Of the 256 paths that a process looks at for all pages together.
const MOST_WATCHED = 100;
const KINDS = { RETRY: 'retry', DEAD_LETTER: 'dead letters', SYSTEM: 'system' };
const trends = new Trends();

export function open(page) {
  const topics = page.watch(path`topics`, EVERY_MS);
  const details = page.watchEach(EVERY_MS);
  let views = new Map();
  page.every(EVERY_MS, topics, () => views.forEach((topic, at) => trends.add(at, topic?.messagesPerSecond)));
  let wanted = page.query.get('q') ?? '';
  let system = page.query.has('system');
  let sort = sortOf(page.query, { by: 'topic', down: false });
  let from = 0;

  const change = (how) => {
    how();
    from = 0;
    note({ q: wanted, system: system ? 1 : '', sort: sort.by === 'topic' && !sort.down ? '' : sortText(sort) });
    page.update();
  };

  function list(found) {
    return html`${without(found.missing)}${those(found.topics)}`;
  }

  function those(every) {
    const own = every.filter((topic) => topic.kind === 'NORMAL');
    const rows = (system ? every : own).filter((topic) => topic.topic.toLowerCase().includes(wanted.trim().toLowerCase()));
    if (!every.length || (!system && !own.length)) return none();
    if (!rows.length) return empty(`No topic has “${wanted}” in its name`, system ? nothing : 'System topics are not shown.');
    const all = rows.length <= MOST_WATCHED;
    if (all) views = details(rows.map(pathOf));
    const shape = columns((row) => views.get(pathOf(row)), all);
    const shown = inOrder(rows, shape, sort).slice(from, from + PAGE_SIZE);
    if (!all) views = details(shown.map(pathOf));
    return html`${table({ label: 'Topics', rows: shown, key: (row) => row.topic, columns: shape, sort,
      sorted: (next) => change(() => { sort = next; }) })}
      ${rows.length > PAGE_SIZE ? pager(rows.length) : nothing}`;
  }

  function pager(total) {
    const to = Math.min(total, from + PAGE_SIZE);
    const move = (by) => () => { from += by; page.update(); };
    return html`<div class="pager"><span>${count(from + 1)} to ${count(to)} of ${count(total)}</span><div>
      <button ?disabled=${from === 0} @click=${move(-PAGE_SIZE)}>${icon('left')}Back</button>
      <button ?disabled=${to >= total} @click=${move(PAGE_SIZE)}>Next${icon('right')}</button></div></div>`;
  }

  return () => html`<header class="page-head"><div><h1 tabindex="-1">Topics</h1>${topics.value
    ? html`<p>${summary(topics.value.topics)}</p>` : nothing}</div>
    <div class="actions">${search(wanted, (text) => change(() => { wanted = text; }), 'Search topics')}
      ${toggle('System topics', system, (on) => change(() => { system = on; }))}
      <button class="primary" data-new @click=${createTopic}>${icon('plus')}New topic</button></div></header>
    ${loaded(topics, list, 6)}`;
}

function summary(topics) {
  const own = topics.filter((topic) => topic.kind === 'NORMAL').length;
  return `${plural(own, 'topic')}, ${plural(topics.length - own, 'system topic')}`;
}

const none = () => empty('No topics yet', html`<span>The first message sent to a topic makes it; or make one here.</span>
  <button class="primary" @click=${createTopic}>${icon('plus')}New topic</button>`);

const numberOf = (value) => (known(value) ? Number(value) : null);
const pathOf = ({ topic }) => path`topics/${topic}`;

/** @param all whether each topic's figures are known, so that they can be sorted by */
function columns(detail, all) {
  const perSecond = (row) => detail(row)?.messagesPerSecond;
  return [
    { name: 'topic', title: 'Topic', main: true, sort: (row) => row.topic, cell: (row) => html`<span class="row-line"
      ><a href=${link(['topics', row.topic])}>${row.topic}</a>${kind(row, detail(row))}</span>` },
    { name: 'queues', title: 'Queues', num: true, sort: (row) => row.writeQueues, cell: (row) => number(row.writeQueues) },
    { name: 'messages', title: 'Messages', num: true, sort: all && ((row) => numberOf(detail(row)?.messages)),
      cell: (row) => number(detail(row) ? kept(detail(row)) : null) },
    { name: 'rate', title: 'Rate', num: true, sort: all && perSecond,
      cell: (row) => html`${number(perSecond(row), rate)}${spark(trends.of(pathOf(row)))}` },
    { name: 'last', title: 'Last message', num: true, wide: true, sort: all && ((row) => lastStored(detail(row))),
      cell: (row) => when(lastStored(detail(row)), 'none') },
  ];
}

/** Its type, where it is not the usual one, and what a broker uses it for. */
export function kind(topic, detail) {
  const type = detail?.type;
  return html`${KINDS[topic.kind] ? html`<span class="badge">${KINDS[topic.kind]}</span>` : nothing}
    ${type && type !== 'NORMAL' ? html`<span class="badge accent">${type}</span>` : nothing}
    ${topic.writable === false ? html`<span class="badge warn">not writable</span>` : nothing}`;
}

/** Messages that are kept; null when a broker did not tell. */
export function kept(topic) {
  return topic.messages;
}

export function lastStored(topic) {
  return topic?.queues.reduce((last, { lastStoredAt }) => (lastStoredAt && lastStoredAt > (last ?? '') ? lastStoredAt : last),
    null) ?? null;
}

