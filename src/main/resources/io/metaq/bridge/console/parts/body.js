import { html, nothing } from '../core/lib.js';
import { bytes, text as textOf } from '../core/format.js';
import { jsonTree, readJson } from './json.js';
import { copyButton } from './copy.js';

const HEX_LINE = 16;
const HEX_MOST = 8 * 1024;
const TEXT_MOST = 256 * 1024;

/** The bytes of a message's body. */
export function bodyBytes(message) {
  if (message.bodyBase64 === undefined) return new TextEncoder().encode(message.body);
  return Uint8Array.from(atob(message.bodyBase64), (letter) => letter.charCodeAt(0));
}

/** How long it is, without unpacking it. */
export function bodySize(message) {
  if (message.bodyBase64 === undefined) {
    return message.body.length < 4096 ? new TextEncoder().encode(message.body).length : new Blob([message.body]).size;
  }
  const padding = message.bodyBase64.endsWith('==') ? 2 : message.bodyBase64.endsWith('=') ? 1 : 0;
  return (message.bodyBase64.length / 4) * 3 - padding;
}

/** One line of it. */
export function preview(message, length = 160) {
  if (message.bodyBase64 !== undefined) return html`<span class="unknown">${textOf(bytes(bodySize(message)))} of binary</span>`;
  const line = message.body.slice(0, length * 2).replace(/\s+/g, ' ').trim();
  return line ? line.slice(0, length) : html`<span class="unknown">empty</span>`;
}

/** What can be shown of a body, the best first. */
export function bodyViews(message) {
  const binary = message.bodyBase64 !== undefined;
  const tree = !binary && message.body.length <= TEXT_MOST && /^\s*[{["\-\dtfn]/.test(message.body) ? readJson(message.body) : null;
  return { tree, kinds: [...(tree ? ['JSON'] : []), ...(binary ? [] : ['Text']), 'Hex'] };
}

/** A body in one of its views; chosen(kind) asks for another. */
export function bodyView(message, views, kind, chosen) {
  return html`<section class="body-view"><header>
    <div class="choice" role="group" aria-label="Show the body as">${views.kinds.map((each) => html`<button type="button"
      aria-pressed=${String(each === kind)} @click=${() => chosen(each)}>${each}</button>`)}</div>
    <span class="unknown">${textOf(bytes(bodySize(message)))}</span>
    ${copyButton(message.body ?? message.bodyBase64, message.body === undefined ? 'Copy the body as Base64' : 'Copy the body')}
  </header>
  ${kind === 'JSON' ? jsonTree(views.tree) : kind === 'Text' ? plain(message.body) : hex(bodyBytes(message))}</section>`;
}

function plain(body) {
  return html`<pre class="plain" tabindex="0">${body.slice(0, TEXT_MOST)}</pre>${cut(body.length > TEXT_MOST, TEXT_MOST)}`;
}

function hex(all) {
  const lines = [];
  for (let at = 0; at < Math.min(all.length, HEX_MOST); at += HEX_LINE) {
    const line = [...all.subarray(at, at + HEX_LINE)];
    const pairs = line.map((byte) => byte.toString(16).padStart(2, '0'));
    const letters = line.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
    const half = (from) => pairs.slice(from, from + HEX_LINE / 2).join(' ').padEnd(23);
    lines.push([at.toString(16).padStart(6, '0'), half(0), half(HEX_LINE / 2), letters].join('  '));
  }
  return html`<pre class="hex" tabindex="0">${lines.join('\n')}</pre>${cut(all.length > HEX_MOST, HEX_MOST)}`;
}

function cut(is, at) {
  return is ? html`<p class="unknown">The first ${textOf(bytes(at))}; copy the body to have all of it.</p>` : nothing;
}
