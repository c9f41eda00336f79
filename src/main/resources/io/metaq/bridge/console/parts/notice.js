import { html, nothing } from '../core/lib.js';
import { icon } from './icons.js';

/** What failed, and what to do. */
export function failed(problem, again) {
  return html`<div class="notice bad" role="alert">${icon('warning')}<div>
    <strong>${problem.title}</strong>
    ${problem.detail ? html`<p>${problem.detail}</p>` : nothing}
    ${problem.remedy ? html`<p class="remedy">${problem.remedy}</p>` : nothing}
    ${again ? html`<button @click=${again}>Try again</button>` : nothing}
  </div></div>`;
}

export function warned(title, detail = '') {
  return html`<div class="notice warn" role="alert">${icon('warning')}<div><strong>${title}</strong>${detail
    ? html`<p>${detail}</p>` : nothing}
  </div></div>`;
}

/** Brokers that told nothing: what is shown is without what they have. */
export function without(brokers) {
  return brokers?.length ? warned(`Without what ${brokers.map(({ broker }) => broker).join(', ')} ${brokers.length === 1 ? 'has'
    : 'have'}`, brokers.map(({ fault }) => fault).join(' · ')) : nothing;
}

/** Nothing to show, and what would make it something. */
export function empty(title, more = nothing) {
  return html`<div class="empty"><strong>${title}</strong>${more === nothing ? nothing : html`<div>${more}</div>`}</div>`;
}

/** Lines in place of what comes; seen only when it takes a while. */
export function waiting(lines = 4) {
  return html`<div class="waiting" role="status" aria-label="Loading">${Array.from({ length: lines }, () => html`<i></i>`)}</div>`;
}

/** A view of a path: loading, failed, or there. What was there once stays when the server is lost. */
export function loaded(view, show, lines) {
  if (view.value !== undefined) {
    return html`${view.stale && view.problem.kind !== 'unreachable' ? failed(view.problem) : nothing}${show(view.value)}`;
  }
  return view.problem ? failed(view.problem) : waiting(lines);
}
