// Keys of the whole console. Fields and dialogs keep theirs.

const SEQUENCE_MS = 1500;

/** [keys, what they do], for people. */
export const SHORTCUTS = [
  ['/', 'Search on this page'],
  ['g o', 'Overview'],
  ['g t', 'Topics'],
  ['g m', 'Messages'],
  ['g g', 'Groups'],
  ['g l', 'Live tail'],
  ['g c', 'Cluster'],
  ['g a', 'API'],
  ['n', 'New topic, or send a message'],
  ['↑ ↓', 'Move through a table'],
  ['Enter', 'Open the row'],
  ['d', 'Light or dark'],
  ['?', 'These shortcuts'],
  ['Esc', 'Close, or clear a search'],
];

/** @param actions what a key does; 'g x' is one after the other */
export function listen(actions) {
  let prefix = '';
  let at = 0;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const field = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (field) {
      if (event.key === 'Escape' && !event.target.closest('dialog')) leaveField(event.target);
      return;
    }
    if (document.querySelector('dialog[open]')) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (moveRow(event.target, event.key === 'ArrowDown')) event.preventDefault();
      return;
    }
    const keys = prefix && event.timeStamp - at < SEQUENCE_MS ? prefix + ' ' + event.key : event.key;
    prefix = event.key === 'g' && keys === 'g' ? 'g' : '';
    at = event.timeStamp;
    if (actions[keys]) {
      event.preventDefault();
      actions[keys]();
    }
  });
}

function leaveField(field) {
  if (field.type === 'search' && field.value) {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  } else {
    field.blur();
  }
}

/** From the row that has the focus, or from none into the first. */
function moveRow(from, down) {
  const rows = [...document.querySelectorAll('main [data-row]')];
  if (!rows.length || (from !== document.body && !from.closest('main'))) return false;
  const now = rows.indexOf(from.closest?.('[data-row]'));
  const next = rows[now < 0 ? 0 : now + (down ? 1 : -1)];
  next?.querySelector('a, button, [tabindex]')?.focus();
  return Boolean(next);
}
