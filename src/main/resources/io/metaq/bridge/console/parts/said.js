import { html, nothing, render } from '../core/lib.js';

const LIFE_MS = 6000;
let timer;

/** Says what was done, to eyes and to screen readers, for a few seconds. @param place a link to what it is about */
export function say(text, place) {
  let said = document.getElementById('said');
  if (!said) {
    said = document.createElement('div');
    said.id = 'said';
    said.setAttribute('role', 'status');
    said.popover = 'manual';
    document.body.append(said);
  }
  clearTimeout(timer);
  // Shown anew, so that it lies above a dialog that was opened since.
  said.hidePopover();
  said.showPopover();
  render(html`<span>${text}</span>${place ? html`<a href=${place}>Show</a>` : nothing}`, said);
  timer = setTimeout(() => said.hidePopover(), LIFE_MS);
}
