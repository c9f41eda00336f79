import { html } from '../core/lib.js';
import { shortId } from '../core/format.js';
import { icon } from './icons.js';
import { say } from './said.js';

/** Puts a text on the clipboard; where a page may not, over plain http from afar, by way of a selection. */
export async function copy(text, what = 'Copied') {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const place = document.createElement('textarea');
    place.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(place);
    place.select();
    document.execCommand('copy');
    place.remove();
  }
  say(what);
}

export function copyButton(text, label) {
  return html`<button type="button" class="quiet copy" title=${label} aria-label=${label}
    @click=${(event) => { event.stopPropagation(); copy(text, 'Copied'); }}>${icon('copy')}</button>`;
}

/** A long id, short, whole on hover, whole on the clipboard. */
export function shortened(id) {
  return html`<span class="id"><code title=${id}>${shortId(id)}</code>${copyButton(id, 'Copy ' + id)}</span>`;
}

/** A command to try, with its copy. */
export function command(text) {
  return html`<div class="command"><code>${text}</code>${copyButton(text, 'Copy this command')}</div>`;
}
