import { html } from '../core/lib.js';
import { SHORTCUTS } from '../core/keys.js';
import { ask } from './dialog.js';

export function showShortcuts() {
  ask({
    title: 'Shortcuts',
    fields: () => html`<dl class="shortcuts">${SHORTCUTS.map(([keys, does]) => html`
      <div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>`)}</dl>`,
  });
}
