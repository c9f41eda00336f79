// The one place that knows where lit-html lies.
export { html, svg, render, nothing } from '/lib/lit-html/lit-html.js';
export { repeat } from '/lib/lit-html/directives/repeat.js';
export { live } from '/lib/lit-html/directives/live.js';
export { keyed } from '/lib/lit-html/directives/keyed.js';
