import { svg, html, nothing } from '../core/lib.js';

const WIDTH = 96;
const HEIGHT = 24;

/** A line without axes; gaps where nothing is known. Its meaning stands beside it as a number. */
export function spark(values, tone = '') {
  const known = values.filter((value) => value != null);
  if (known.length < 2) return html`<svg class="spark none" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true"></svg>`;
  const most = Math.max(...known) || 1;
  const step = WIDTH / Math.max(values.length - 1, 1);
  let pen = 'M';
  const path = values.map((value, i) => {
    if (value == null) {
      pen = 'M';
      return '';
    }
    const point = `${pen}${(i * step).toFixed(1)} ${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`;
    pen = 'L';
    return point;
  }).join('');
  return html`<svg class="spark ${tone}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    ${path ? svg`<path d=${path} vector-effect="non-scaling-stroke"/>` : nothing}</svg>`;
}

/** How full: a bar of a ratio. */
export function bar(ratio, tone = '') {
  return html`<svg class="bar-of ${tone}" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="all"
    width="100"
    height="4"/><rect class="part" width=${Math.min(100, Math.max(0, ratio * 100)).toFixed(1)} height="4"/></svg>`;
}
