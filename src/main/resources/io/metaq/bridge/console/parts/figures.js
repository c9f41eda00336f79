import { html } from '../core/lib.js';
import { DASH, clock, count, known, span, text } from '../core/format.js';

const unknown = (why) => html`<span class="unknown" title=${why}>${DASH}</span>`;

/** A number in a table; what is not known is no nought. */
export function number(value, show = count, why = 'not known') {
  if (!known(value)) return unknown(why);
  const shown = show(value);
  return Array.isArray(shown) ? html`<span class="num">${shown[0]}<small>${shown[1]}</small></span>` : html`<span
    class="num">${shown}</span>`;
}

/** Local time, with all of it on hover. */
export function when(iso, why = 'not known') {
  return iso ? html`<time datetime=${iso} title=${iso}>${clock(iso)}</time>` : unknown(why);
}

/** How long ago. */
export function age(iso, why = 'none') {
  return iso ? html`<time datetime=${iso} title=${iso}>${text(span(Math.max(0, Date.now() - new Date(iso))))}</time>`
    : unknown(why);
}

/** A figure one sees from afar. */
export function stat(name, [figure, unit], { title = '', tone = '', note = '' } = {}) {
  return html`<div class="stat ${tone}" title=${title}><dt>${name}</dt>
    <dd><b class=${figure === DASH ? 'unknown' : ''}>${figure}</b><small>${unit}</small>${note ? html`<span>${note}</span>`
      : ''}</dd></div>`;
}
