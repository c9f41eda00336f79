import { html, nothing } from '../core/lib.js';
import { path, post } from '../core/api.js';
import { link } from '../core/router.js';
import { ask } from '../parts/dialog.js';
import { choice, field } from '../parts/fields.js';
import { icon } from '../parts/icons.js';
import { say } from '../parts/said.js';
import { readJson } from '../parts/json.js';

/** A dialog that sends one message. @param copyOf a message to begin with */
export function sendMessage(topic, copyOf) {
  const wanted = {
    topic: topic ?? '',
    body: copyOf?.body ?? copyOf?.bodyBase64 ?? '',
    kind: copyOf?.bodyBase64 !== undefined ? 'base64' : 'text',
    tag: copyOf?.tag ?? '',
    keys: copyOf?.keys.join(' ') ?? '',
    orderKey: '',
    delay: '',
    properties: Object.entries(copyOf?.properties ?? {}),
  };
  const set = (name) => (event) => { wanted[name] = event.target.value; };
  const fault = () => bodyFault(wanted);
  ask({
    title: copyOf ? 'Send a copy' : 'Send a message',
    verb: 'Send',
    wide: true,
    valid: () => wanted.topic && !fault() && !delayFault(wanted.delay),
    fields: (draw) => html`
      ${topic ? html`<p>To <strong>${topic}</strong></p>`
        : field('Topic', html`<input name="topic" list="topic-names" .value=${wanted.topic} @input=${set('topic')}
          autocomplete="off" spellcheck="false">`)}
      <div class="field"><span class="field-head"><label for="send-body">Body</label>
        ${choice('The body is', [['text', 'Text'], ['json', 'JSON'], ['base64', 'Base64']], wanted.kind,
          (kind) => { wanted.kind = kind; draw(); })}</span>
        <textarea id="send-body" name="body" rows="6" .value=${wanted.body} @input=${set('body')}
          spellcheck="false" autofocus></textarea>
        ${fault() ? html`<em class="fault">${fault()}</em>` : nothing}</div>
      <div class="two">
        ${field('Tag', html`<input name="tag" .value=${wanted.tag} @input=${set('tag')} autocomplete="off">`,
          { hint: 'What filters go by' })}
        ${field('Keys', html`<input name="keys" .value=${wanted.keys} @input=${set('keys')} autocomplete="off">`,
          { hint: 'Separated by blanks' })}
        ${field('Order key', html`<input name="orderKey" .value=${wanted.orderKey} @input=${set('orderKey')} autocomplete="off">`,
          { hint: 'Messages of a key go to one queue' })}
        ${field('Delay in seconds', html`<input name="delay" inputmode="decimal" .value=${wanted.delay} @input=${set('delay')}
          autocomplete="off">`,
          { fault: delayFault(wanted.delay), hint: 'Delivered that much later' })}
      </div>
      <div class="field"><span>Properties</span><div class="pairs">
        ${wanted.properties.map((pair, i) => html`<div>
          <input aria-label="Name" placeholder="name" .value=${pair[0]} @input=${(event) => { pair[0] = event.target.value; }}>
          <input aria-label="Value" placeholder="value" .value=${pair[1]} @input=${(event) => { pair[1] = event.target.value; }}>
          <button type="button" class="quiet" aria-label="Remove" @click=${() => { wanted.properties.splice(i,
            1); draw(); }}>${icon('close')}</button></div>`)}
        </div><span><button type="button" class="quiet" @click=${() => { wanted.properties.push(['',
          '']); draw(); }}>${icon('plus')}Property</button></span></div>`,
    async act() {
      const receipt = await post(path`topics/${wanted.topic}/messages`, message(wanted));
      sent(receipt);
    },
  });
}

function sent(receipt) {
  const stored = receipt.status === 'SEND_OK' ? '' : ` (${receipt.status})`;
  say(`Stored in queue ${receipt.queueId} of ${receipt.broker} at offset ${receipt.queueOffset}${stored}`,
    link(['messages'], { topic: receipt.topic, by: 'id', id: receipt.messageId }));
}

function message(wanted) {
  const body = wanted.kind === 'base64' ? { bodyBase64: wanted.body.replace(/\s/g, '') } : { body: wanted.body };
  return {
    ...body,
    tag: wanted.tag.trim() || undefined,
    keys: wanted.keys.trim() ? wanted.keys.trim().split(/\s+/) : undefined,
    orderKey: wanted.orderKey || undefined,
    delayMs: wanted.delay ? Math.round(Number(wanted.delay) * 1000) : undefined,
    properties: Object.fromEntries(wanted.properties.filter(([name]) => name)),
  };
}

function bodyFault({ kind, body }) {
  if (kind === 'json' && body && !readJson(body)) return 'This is no JSON';
  if (kind === 'base64'
    && !/^\s*(?:[A-Za-z0-9+/]{4}\s*)*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\s*$/.test(body)) return 'This is no Base64';
  return '';
}

function delayFault(text) {
  return text === '' || (Number.isFinite(Number(text)) && Number(text) >= 0) ? '' : 'A number, 0 or more';
}
