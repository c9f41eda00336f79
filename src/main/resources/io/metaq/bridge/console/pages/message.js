import { html, nothing } from '../core/lib.js';
import { path, post, query } from '../core/api.js';
import { link } from '../core/router.js';
import { count } from '../core/format.js';
import { bodyView, bodyViews } from '../parts/body.js';
import { copyButton, shortened } from '../parts/copy.js';
import { ask } from '../parts/dialog.js';
import { when } from '../parts/figures.js';
import { icon } from '../parts/icons.js';
import { say } from '../parts/said.js';
import { sendMessage } from './send.js';

const DEAD = '%DLQ%';
const views = new WeakMap();

/** All of a message. */
export function detail(message, page, close) {
  const view = viewOf(message);
  const chosen = (kind) => { view.kind = kind; page.update(); };
  return html`<article class="message">
    <header><h2>Message</h2>
      <div class="actions">
        ${message.topic.startsWith(DEAD) ? html`<button class="primary" @click=${() => resend(message)}>Resend</button>` : nothing}
        <button @click=${() => sendMessage(message.topic, message)}>Send a copy</button>
        ${copyButton(JSON.stringify(message, null, 2), 'Copy the message as JSON')}
        <button class="quiet close" @click=${close} aria-label="Close">${icon('close')}</button></div></header>
    <dl class="facts">
      ${fact('Id', shortened(message.messageId))}
      ${message.offsetId === message.messageId ? nothing : fact('Place', shortened(message.offsetId))}
      ${fact('Topic', html`<a href=${link(['topics', message.topic])}>${message.topic}</a>`)}
      ${fact('Queue', html`<a href=${link(['messages'], { topic: message.topic, by: 'queue',
        queue: `${message.broker}:${message.queueId}`,
        offset: message.queueOffset })}>${message.broker} · ${message.queueId}</a> at offset ${count(message.queueOffset)}`)}
      ${fact('Stored', when(message.storedAt))}
      ${fact('Born', html`${when(message.bornAt)} at ${message.bornHost}`)}
      ${message.tag ? fact('Tag', html`<span class="badge">${message.tag}</span>`) : nothing}
      ${message.keys.length ? fact('Keys', message.keys.map((key) => html`<a class="badge" href=${link(['messages'],
        { topic: message.topic, by: 'key', key })}>${key}</a> `)) : nothing}
      ${message.attempt > 1 ? fact('Delivered', message.attempt === 2 ? 'once before'
        : `${message.attempt - 1} times before`) : nothing}
      ${Object.entries(message.properties).map(([name, value]) => fact(html`<code>${name}</code>`, html`<span
        class="value">${value}</span>`))}
    </dl>
    ${bodyView(message, view, view.kind, chosen)}
  </article>`;
}

const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** How it is shown; kept while the message is. */
function viewOf(message) {
  if (!views.has(message)) {
    const possible = bodyViews(message);
    views.set(message, { ...possible, kind: possible.kinds[0] });
  }
  return views.get(message);
}

function resend(message) {
  const group = message.topic.slice(DEAD.length);
  ask({
    title: 'Resend this message?',
    verb: 'Resend',
    fields: () => html`<p>Group <strong>${group}</strong> gets it again, as a message to be tried once more. It stays here,
      too.</p>`,
    async act() {
      await post(query(path`messages/${message.offsetId}/resend`, { topic: message.topic }));
      say(`Sent again to ${group}`);
    },
  });
}
