import { html, render, nothing } from '../core/lib.js';
import { Problem } from '../core/problem.js';
import { failed } from './notice.js';
import { icon } from './icons.js';

/**
 * A dialog with a form. The browser keeps the focus in it, closes it by Escape and gives the focus back.
 *
 * fields() draws its content; valid() says whether it can be done; act() does it, and what it throws is shown; then the dialog
 * closes.
 */
export function ask({ title, fields, verb, danger = false, valid = () => true, act, wide = false }) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', title);
  dialog.classList.toggle('wide', wide);
  const from = document.activeElement;
  let problem = null;
  let busy = false;

  const draw = () => render(html`<form novalidate @submit=${submit} @input=${draw} @change=${draw}>
    <header><h2>${title}</h2><button type="button" class="quiet" @click=${close}
      aria-label="Close">${icon('close')}</button></header>
    <div class="dialog-body">${fields(draw)}${problem ? failed(problem) : nothing}</div>
    ${verb ? html`<footer><button type="button" @click=${close}>Cancel</button>
      <button class="${danger ? 'danger' : 'primary'}" ?disabled=${busy || !valid()}>${verb}</button></footer>` : nothing}
  </form>`, dialog);

  const close = () => dialog.close();

  async function submit(event) {
    event.preventDefault();
    if (busy || !verb || !valid()) return;
    busy = true;
    problem = null;
    draw();
    try {
      await act();
      close();
    } catch (failure) {
      problem = Problem.from(failure);
    }
    busy = false;
    if (dialog.isConnected) draw();
  }

  dialog.addEventListener('close', () => {
    dialog.remove();
    from?.focus?.();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) close();
  });
  addEventListener('hashchange', close, { once: true });
  document.body.append(dialog);
  draw();
  dialog.showModal();
  const first = dialog.querySelector('[autofocus]') ?? dialog.querySelector('.dialog-body :is(input, select), footer button');
  first?.focus();
}
