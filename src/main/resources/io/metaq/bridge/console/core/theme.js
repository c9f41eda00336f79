import { cell } from './cell.js';

const KEY = 'metaq.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;

const shown = () => root.dataset.theme ?? (dark.matches ? 'dark' : 'light');

/** light or dark, as it is shown. */
export const theme = cell(shown());

dark.addEventListener('change', () => theme.set(shown()));

/** To the other one; what is the system's own choice is not kept, so that the page follows it again. */
export function switchTheme() {
  const next = shown() === 'dark' ? 'light' : 'dark';
  const system = dark.matches ? 'dark' : 'light';
  if (next === system) delete root.dataset.theme;
  else root.dataset.theme = next;
  try {
    if (next === system) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch { /* storage is switched off: until the page is loaded again, then */ }
  theme.set(next);
}

/** Colour of a token, as a canvas wants it. */
export function colour(name) {
  const probe = document.createElement('i');
  probe.className = 'probe ' + name;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
