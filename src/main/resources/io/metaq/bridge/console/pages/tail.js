import { html, nothing, repeat } from '../core/lib.js';
import { path } from '../core/api.js';
import { go, link } from '../core/router.js';
import { count, plural } from '../core/format.js';
import { choice, field } from '../parts/fields.js';
import { when } from '../parts/figures.js';
import { icon } from '../parts/icons.js';
import { empty, failed } from '../parts/notice.js';
import { bodyView, bodyViews, preview } from '../parts/body.js';
import { topicNames } from './search-form.js';
import { Tail } from './tailing.js';

const KINDS = [['tag', 'Tags'], ['sql', 'SQL']];

export function open(page) {
  const topics = page.look(path`topics`);
  const tail = new Tail(page.update);
  const views = new Map();
  let wanted = {};
  page.onLeave(() => tail.stop());
  page.onMove(follow);
  follow(page.query);

  function follow(query) {
    wanted = { topic: query.get('topic') ?? '', filter: query.get('filter') ?? '', type: query.get('type') ?? 'tag' };
    views.clear();
    tail.start(wanted);
  }

  const submit = (event) => {
    event.preventDefault();
    const { topic, filter } = Object.fromEntries(new FormData(event.target));
    const next = { topic, filter, type: filter ? wanted.type : '' };
    if (link(['tail'], next) === location.hash) follow(page.query);
    else go(['tail'], next);
  };

  const pick = (message) => {
    if (views.has(message)) views.delete(message);
    else {
      const possible = bodyViews(message);
      views.set(message, { ...possible, kind: possible.kinds[0] });
    }
    page.update();
  };

  const clear = () => {
    views.clear();
    tail.clear();
  };

  return () => html`<header class="page-head"><div><h1
    tabindex="-1">Live tail</h1><p>Messages as they are stored. It reads beside all groups, and moves none.</p></div>
      ${tail.topic ? html`<div class="actions"><button aria-pressed=${String(tail.paused)}
        @click=${() => tail.pause()}>${icon(tail.paused ? 'play' : 'pause')}
        ${tail.paused ? 'Go on' : 'Pause'}</button><button @click=${clear}>Clear</button></div>` : nothing}</header>
    <form class="form-line search-form" @submit=${submit}>
      ${field('Topic', html`<input name="topic" list="topic-names" .value=${wanted.topic} autocomplete="off"
        spellcheck="false" required>`)}
      ${topicNames(topics.value?.topics ?? [])}
      ${field('Filter', html`<input name="filter" type="search" .value=${wanted.filter} autocomplete="off" spellcheck="false"
        placeholder=${wanted.type === 'sql' ? "region = 'eu' AND weight > 5" : 'paid || shipped'}>`)}
      <div class="field shrink"><span>The filter is</span>${choice('The filter is', KINDS, wanted.type,
        (type) => { wanted.type = type; page.update(); })}</div>
      <button class="primary">Follow</button></form>
    ${tail.problem ? failed(tail.problem, () => tail.start(wanted)) : nothing}
    ${tail.topic && !tail.problem ? status(tail) : nothing}
    ${rows(tail, wanted, views, pick, page)}`;
}

/** Nothing is left out in silence. */
function status(tail) {
  return html`<p class="tail-state"><span class="health ${tail.paused ? 'paused' : ''}" role="status"><i></i>${tail.paused
    ? 'paused: messages wait at the broker'
    : tail.open ? 'following' : 'connecting…'}</span>
    <span>${count(tail.perSecond)} /s</span><span>${plural(tail.seen, 'message')}</span>
    ${tail.skipped ? html`<strong class="skipped">${count(tail.skipped)} not shown: more than
      ${Tail.SHOWN_PER_SECOND} /s came</strong>` : nothing}
    ${tail.forgotten ? html`<span>the last ${count(Tail.KEPT)} are kept</span>` : nothing}</p>`;
}

function rows(tail, wanted, views, pick, page) {
  if (!tail.topic) return empty('Which topic?', 'Its messages are shown as they are stored.');
  if (!tail.rows.length) return tail.problem ? nothing : empty('Waiting for a message', html`<span>What is stored in
    ${wanted.topic} from now on comes here.</span>`);
  return html`<ol class="tail panel" aria-label="Messages, the newest first">${repeat(tail.rows, (row) => row.number,
    ({ message }) => html`
    <li data-row><button class="tail-row" aria-expanded=${String(views.has(message))} @click=${() => pick(message)}>
      ${when(message.storedAt)}<span class="unknown">${message.queueId} · ${count(message.queueOffset)}</span>
      ${message.tag ? html`<span class="badge">${message.tag}</span>` : nothing}<span
        class="tail-keys">${message.keys.join(' ')}</span>
      <span class="tail-body">${preview(message, 240)}</span></button>
      ${views.has(message) ? opened(message, views, page) : nothing}</li>`)}</ol>`;
}

function opened(message, views, page) {
  const view = views.get(message);
  const chosen = (kind) => { view.kind = kind; page.update(); };
  return html`<div class="tail-open">
    <p class="row-line">${Object.entries(message.properties).map(([name, value]) => html`<span class="badge">${name} =
      ${value}</span>`)}
      <a href=${link(['messages'], { topic: message.topic, by: 'id', id: message.offsetId })}>All of it</a></p>
    ${bodyView(message, view, view.kind, chosen)}</div>`;
}
