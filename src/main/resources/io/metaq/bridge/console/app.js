import { here, go } from './core/router.js';
import { html, render, keyed } from './core/lib.js';
import { listen } from './core/keys.js';
import { Page } from './core/page.js';
import { Problem } from './core/problem.js';
import { switchTheme, theme } from './core/theme.js';
import { connection } from './core/live.js';
import { shell } from './shell.js';
import { showShortcuts } from './parts/shortcuts.js';
import { failed } from './parts/notice.js';

/** The pages: their place, the key behind g, and their module; a place below one has a module of its own. */
export const SECTIONS = [
  { name: 'Overview', place: [], key: 'o', icon: 'overview', load: () => import('./pages/overview.js') },
  { name: 'Topics', place: ['topics'], key: 't', icon: 'topics', load: () => import('./pages/topics.js'),
    one: () => import('./pages/topic.js') },
  { name: 'Messages', place: ['messages'], key: 'm', icon: 'messages', load: () => import('./pages/messages.js') },
  { name: 'Groups', place: ['groups'], key: 'g', icon: 'groups', load: () => import('./pages/groups.js'),
    one: () => import('./pages/group.js') },
  { name: 'Live tail', place: ['tail'], key: 'l', icon: 'tail', load: () => import('./pages/tail.js') },
  { name: 'Cluster', place: ['cluster'], key: 'c', icon: 'cluster', load: () => import('./pages/cluster.js') },
  { name: 'API', place: ['api'], key: 'a', icon: 'api', load: () => import('./pages/api.js') },
];

const NOWHERE = () => html`<h1 tabindex="-1">Nothing here</h1><p>There is no such page. <a href="#/">Overview</a></p>`;

let page = null;
let picture = () => html``;
let section = null;
let asked = false;

/** One picture for any number of changes before it. */
function update() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    render(shell(SECTIONS, section, keyed(page, picture())), document.getElementById('app'));
  });
}

async function open() {
  const place = here();
  if (page?.moves(place)) return;
  page?.leave();
  const opened = new Page(place, update);
  page = opened;
  section = SECTIONS.find((each) => (each.place[0] ?? '') === (place.names[0] ?? ''));
  const load = place.names.length > 1 ? section?.one : section?.load;
  let next = NOWHERE;
  if (load) {
    try {
      next = (await load()).open(opened);
    } catch (failure) {
      next = () => failed(Problem.from(failure));
    }
  }
  if (opened.left) return;
  picture = next;
  document.title = [place.names[1], section?.name, 'MetaQ'].filter(Boolean).join(' · ');
  update();
  requestAnimationFrame(() => requestAnimationFrame(arrive));
}

/** A new place begins at its top, and is told to those who cannot see it. */
let first = true;
function arrive() {
  if (!first) {
    window.scrollTo(0, 0);
    document.querySelector('main h1')?.focus({ preventScroll: true });
  }
  first = false;
}

listen({
  ...Object.fromEntries(SECTIONS.map(({ key, place }) => ['g ' + key, () => go(place)])),
  '/': () => document.querySelector('main [type=search]')?.focus(),
  n: () => document.querySelector('main [data-new]')?.click(),
  d: switchTheme,
  '?': showShortcuts,
});
connection.watch(update);
theme.watch(update);
addEventListener('hashchange', open);
open();
