import { html, nothing } from '../core/lib.js';
import { path } from '../core/api.js';
import { localInput } from '../core/format.js';
import { choice, field } from '../parts/fields.js';

const SINCE = [['-15m', '15 min'], ['-1h', '1 hour'], ['-1d', '1 day'], ['earliest', 'All']];

/** The fields of a search; search(parameters) begins another. */
export function searchForm(wanted, topics, search, page) {
  const submit = (event) => {
    event.preventDefault();
    search(Object.fromEntries(new FormData(event.target)));
  };
  return html`<form class="form-line search-form" @submit=${submit}>
    ${field('Topic', html`<input name="topic" list="topic-names" .value=${wanted.topic ?? ''} autocomplete="off" spellcheck="false"
      placeholder=${wanted.by === 'id' ? 'any' : ''} @change=${(event) => search({ topic: event.target.value, queue: '',
        offset: '' })}>`)}
    ${topicNames(topics)}
    ${{ time, queue, key, id }[wanted.by]?.(wanted, search, page) ?? nothing}
    <button class="primary">${wanted.by === 'newest' ? 'Refresh' : 'Find'}</button>
  </form>`;
}

/** What inputs of topics propose. */
export function topicNames(topics) {
  return html`<datalist id="topic-names">${topics.map(({ topic }) => html`<option value=${topic}></option>`)}</datalist>`;
}

function time({ from }, search) {
  const custom = !SINCE.some(([value]) => value === from);
  const at = (event) => event.target.value && search({ from: new Date(event.target.value).toISOString() });
  return html`<div class="field shrink"><span>Stored since</span>${choice('Stored since', SINCE, from,
    (each) => search({ from: each }))}</div>
    ${field('or since another time', html`<input type="datetime-local" step="1" .value=${custom ? localInput(new Date(from)) : ''}
      @change=${at}>`)}
    <input type="hidden" name="from" .value=${from}>`;
}

let queues = { topic: null, page: null, view: null };

function queue({ topic, queue: name, offset }, search, page) {
  if (topic && (queues.topic !== topic || queues.page !== page)) queues = { topic, page, view: page.look(path`topics/${topic}`) };
  const known = (topic && queues.view.value?.queues) ?? [];
  const option = (value, text) => html`<option value=${value} ?selected=${value === name}>${text}</option>`;
  return html`
    ${field('Queue', html`<select name="queue" @change=${(event) => search({ queue: event.target.value, offset: '' })}>
      ${known.length ? known.map((each) => option(`${each.broker}:${each.queueId}`, `${each.broker} · ${each.queueId}`))
        : option(name ?? '', name ?? '–')}</select>`)}
    ${field('From offset', html`<input name="offset" inputmode="numeric" pattern="[0-9]*" .value=${offset ?? ''}
      placeholder="0">`)}`;
}

const key = (wanted) => field('Key', html`<input name="key" type="search" .value=${wanted.key ?? ''} autocomplete="off"
  spellcheck="false">`);
const id = (wanted) => field('Id', html`<input name="id" type="search" .value=${wanted.id ?? ''} autocomplete="off"
  spellcheck="false">`);
