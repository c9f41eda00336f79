import { html, svg } from '../core/lib.js';

const line = (paths) => html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor"
  stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${paths}</svg>`;

const ICONS = {
  overview: svg`<path d="M1.5 11.5 5 7l3 3 6.5-7.5"/><path d="M1.5 14.5h13"/>`,
  topics: svg`<path d="M2 3.5h12M2 8h12M2 12.5h7"/>`,
  messages: svg`<rect x="1.5" y="3" width="13" height="10" rx="1.5"/><path d="m2 4.5 6 4.5 6-4.5"/>`,
  groups: svg`<circle cx="5.5" cy="5.5" r="2.5"/><path
    d="M1 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3.200a2.5 2.5 0 0 1 0 4.600M12 9.900c1.8.5 3 1.8 3 3.6"/>`,
  tail: svg`<path d="m2 4 4 4-4 4M8 12.5h6"/>`,
  cluster: svg`<rect x="2" y="2" width="12" height="5" rx="1.5"/><rect x="2" y="9" width="12" height="5" rx="1.5"/><path
    d="M5 4.5h.01M5 11.5h.01"/>`,
  api: svg`<path d="M5.5 2.5C3.5 2.5 4.5 8 2 8c2.5 0 1.5 5.5 3.5 5.5M10.5 2.5c2 0 1 5.5 3.5 5.5-2.5 0-1.5 5.5-3.5 5.5"/>`,
  sun: svg`<circle cx="8" cy="8" r="3"/><path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1"/>`,
  moon: svg`<path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z"/>`,
  keys: svg`<rect x="1" y="4" width="14" height="8.5" rx="1.5"/><path d="M4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 9.800h6"/>`,
  menu: svg`<path d="M2 4h12M2 8h12M2 12h12"/>`,
  warning: svg`<path d="M8 2 1.5 13.5h13zM8 6.5v3M8 11.5h.01"/>`,
  copy: svg`<rect x="5" y="5" width="9" height="9" rx="1.5"/><path d="M11 2.5H3.5a1.5 1.5 0 0 0-1.5 1.5V11"/>`,
  check: svg`<path d="m3 8.5 3.5 3.5L13 4.5"/>`,
  close: svg`<path d="m4 4 8 8M12 4l-8 8"/>`,
  search: svg`<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>`,
  plus: svg`<path d="M8 3v10M3 8h10"/>`,
  up: svg`<path d="m4 10 4-4 4 4"/>`,
  down: svg`<path d="m4 6 4 4 4-4"/>`,
  left: svg`<path d="m10 3-5 5 5 5"/>`,
  right: svg`<path d="m6 3 5 5-5 5"/>`,
  pause: svg`<path d="M5.5 3v10M10.5 3v10"/>`,
  play: svg`<path d="M4.5 2.5v11l8.5-5.5z"/>`,
};

export const icon = (name) => line(ICONS[name]);

export const mark = () => html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/>
  <g><rect x="7" y="8" width="18" height="4" rx="2"/><rect x="7" y="14" width="13" height="4" rx="2" opacity=".8"/>
  <rect x="7" y="20" width="8" height="4" rx="2" opacity=".6"/></g></svg>`;
