import { html, nothing } from '../core/lib.js';
import { get, path, query } from '../core/api.js';
import { Problem } from '../core/problem.js';
import { go, link } from '../core/router.js';
import { count, plural } from '../core/format.js';
import { choice } from '../parts/fields.js';
import { when } from '../parts/figures.js';
import { icon } from '../parts/icons.js';
import { empty, failed, waiting, without } from '../parts/notice.js';
import { preview } from '../parts/body.js';
import { table } from '../parts/table.js';
import { detail } from './message.js';
import { searchForm } from './search-form.js';
import { WAYS, lacking, look } from './searches.js';
import { sendMessage } from './send.js';

const NAMES = ['topic', 'by', 'from', 'cursor', 'queue', 'offset', 'key', 'id'];

export function open(page) {
  const topics = page.look(path`topics`);
  let wanted = null;
  let asked = '';
  let result = null;
  let problem = null;
  let busy = false;
  let opened = null;
  let leave = new AbortController();
  page.onLeave(() => leave.abort());
  page.onMove(follow);
  follow(page.query);

  /** What the place says: another search is begun, another message opened. */
  function follow(parameters) {
    wanted = { by: 'newest' };
    for (const name of NAMES) if (parameters.get(name)) wanted[name] = parameters.get(name);
    if (wanted.by === 'time') wanted.from ??= '-15m';
    const search = JSON.stringify(wanted);
    if (search !== asked) {
      asked = search;
      find();
    }
    openMessage(parameters.get('open'));
  }

  async function find() {
    leave.abort();
    leave = new AbortController();
    const { signal } = leave;
    problem = null;
    opened = null;
    busy = !lacking(wanted);
    if (!busy) {
      result = null;
      return;
    }
    try {
      const found = await look(wanted, signal);
      result = found;
      if (wanted.by === 'id') opened = { message: found.messages[0] };
      else if (page.query.get('open')) openMessage(page.query.get('open'));
    } catch (failure) {
      if (signal.aborted) return;
      result = null;
      problem = Problem.from(failure);
    }
    busy = false;
    page.update();
  }

  /** One of the list, or one that only the place names. */
  async function openMessage(id) {
    if (!id) {
      if (wanted.by !== 'id') opened = null;
      return;
    }
    const message = result?.messages.find((each) => each.offsetId === id);
    if (message || opened?.message?.offsetId === id) {
      opened = { message: message ?? opened.message };
      return;
    }
    if (busy) return;
    const looked = {};
    opened = looked;
    try {
      looked.message = await get(query(path`messages/${id}`, { topic: wanted.topic }), page.signal);
    } catch (failure) {
      if (page.left) return;
      looked.problem = Problem.from(failure);
    }
    page.update();
  }

  const search = (change) => {
    const next = { ...wanted, cursor: '', open: '', ...change };
    if (JSON.stringify(next) === JSON.stringify({ ...wanted, cursor: '', open: '' })) find();
    else go(['messages'], next);
    page.update();
  };
  const show = (message) => link(['messages'], { ...wanted, open: message.offsetId });
  const close = () => go(['messages'], wanted.by === 'id' ? { topic: wanted.topic } : wanted);

  function list() {
    const missing = lacking(wanted);
    if (missing === 'topic') return chooseTopic(topics.value?.topics ?? [], search);
    if (missing === 'key') return empty('Which key?', 'The sender gave it to the message, as in keys: ["o-1"].');
    if (missing === 'id') return empty('Which id?', 'The one its sender gave it, or the one that says where it lies.');
    if (problem) return failed(problem, problem.status >= 500 || !problem.status ? () => { find(); page.update(); } : undefined);
    if (!result) return waiting(6);
    if (!result.messages.length) return html`${without(result.missing)}${nothingFound(wanted, result)}`;
    return html`${without(result.missing)}${messageTable(result.messages, opened?.message, show)}${pages()}`;
  }

  function pages() {
    const { next, back, range, messages } = result;
    const says = range ? html`Offsets ${count(messages[0].queueOffset)} to ${count(messages[messages.length - 1].queueOffset)} of
      ${count(range.minOffset)} to ${count(BigInt(range.maxOffset) - 1n)}` : plural(messages.length, 'message');
    return html`<div class="pager"><span>${says}</span>${next || back ? html`<div>
      <button ?disabled=${!back} @click=${() => (back === 'history' ? history.back() : search(back))}>${icon('left')}Back</button>
      <button ?disabled=${!next} @click=${() => search(next)}>Next${icon('right')}</button></div>` : nothing}</div>`;
  }

  return () => html`<header class="page-head"><div><h1 tabindex="-1">Messages</h1></div><div class="actions">
      ${choice('Find by', WAYS, wanted.by, (by) => search({ by }))}
      <button data-new @click=${() => sendMessage(wanted.topic)}>Send</button></div></header>
    ${searchForm(wanted, topics.value?.topics ?? [], search, page)}
    <div class="split ${opened ? 'open' : ''}" aria-busy=${String(busy)}>
      <div class="split-list">${list()}</div>
      ${opened ? html`<aside class="panel split-one" aria-label="Message">${opened.problem ? failed(opened.problem)
        : opened.message ? detail(opened.message, page, close) : waiting(3)}</aside>` : nothing}
    </div>`;
}

function messageTable(messages, opened, show) {
  return table({ label: 'Messages', rows: messages, key: (row) => row.offsetId, marked: (row) => row.offsetId === opened?.offsetId,
    columns: [
    { name: 'stored', title: 'Stored', main: true, cell: (row) => html`<a href=${show(row)}>${when(row.storedAt)}</a>` },
    { name: 'queue', title: 'Queue · offset', num: true, cell: (row) => html`<span class="num">${row.queueId}<small>·</small>
      ${count(row.queueOffset)}</span>` },
    { name: 'tag', title: 'Tag', cell: (row) => (row.tag ? html`<span class="badge">${row.tag}</span>` : nothing) },
    { name: 'keys', title: 'Keys', wide: true, cell: (row) => html`<span class="clip">${row.keys.join(' ')}</span>` },
    { name: 'body', title: 'Body', cell: (row) => html`<span class="clip body-line">${preview(row)}</span>` },
  ] });
}

function chooseTopic(topics, search) {
  const own = topics.filter((topic) => topic.kind === 'NORMAL').slice(0, 12);
  return empty('Choose a topic', own.length ? html`<div class="chips">${own.map(({ topic }) => html`<button
    @click=${() => search({ topic })}>${topic}</button>`)}</div>`
    : 'There are none yet.');
}

function nothingFound({ by, topic, key }, { range }) {
  if (by === 'key') return empty(`No message of ${topic} has the key “${key}”`,
    'A message is found by its key a moment after it was stored.');
  if (by === 'time') return empty('Nothing was stored since then', 'An earlier time finds more.');
  if (by === 'queue') return empty('Nothing from this offset on', range && 
    `The queue has ${count(range.minOffset)} to ${count(range.maxOffset)}.`);
  return empty(`${topic} is empty`, html`<span>A message that comes is not shown by itself; <a href=${link(['tail'],
    { topic })}>Live tail</a> shows it.</span>`);
}
