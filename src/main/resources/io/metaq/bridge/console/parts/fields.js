import { html, nothing } from '../core/lib.js';
import { icon } from './icons.js';

/** A label, what it labels, and what is wrong or to be known about it. */
export function field(label, control, { hint = '', fault = '' } = {}) {
  return html`<label class="field"><span>${label}</span>${control}
    ${fault ? html`<em class="fault">${fault}</em>` : hint ? html`<em>${hint}</em>` : nothing}</label>`;
}

export function search(value, typed, label) {
  return html`<div class="search">${icon('search')}<input type="search" .value=${value} placeholder=${label} aria-label=${label}
    @input=${(event) => typed(event.target.value)} spellcheck="false" autocomplete="off"><kbd>/</kbd></div>`;
}

export function toggle(label, on, changed) {
  return html`<label class="toggle"><input type="checkbox" role="switch" .checked=${on}
    @change=${(event) => changed(event.target.checked)}><i></i>${label}</label>`;
}

/** One of a few, side by side. options: [[value, name]]. */
export function choice(label, options, value, chosen) {
  return html`<div class="choice" role="group" aria-label=${label}>${options.map(([each, name]) => html`<button type="button"
    aria-pressed=${String(each === value)} @click=${() => chosen(each)}>${name}</button>`)}</div>`;
}

/** Wants the name typed before something is lost. */
export function typed(name, what, value, changed) {
  return field(html`Type <code>${name}</code> to confirm`, html`<input .value=${value}
    @input=${(event) => changed(event.target.value)}
    autocomplete="off" spellcheck="false" autofocus aria-label=${`Type the name of the ${what} to confirm`}>`);
}
