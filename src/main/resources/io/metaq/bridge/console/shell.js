import { html, nothing } from './core/lib.js';
import { link } from './core/router.js';
import { connection } from './core/live.js';
import { switchTheme, theme } from './core/theme.js';
import { icon, mark } from './parts/icons.js';
import { showShortcuts } from './parts/shortcuts.js';

const STATES = {
  connecting: ['Connecting…', 'The first answer is awaited'],
  live: ['Live', 'What is shown is what the server says now'],
  lost: ['Reconnecting…', 'The server does not answer; what is shown is what it said last'],
};

/** What stands around every page. */
export function shell(sections, current, content) {
  return html`
    <a class="skip" href="#main" @click=${toMain}>To the content</a>
    <header class="bar">
      <a class="brand" href="#/">${mark()}<span>MetaQ</span></a>
      ${state()}
      <button class="quiet menu-button" aria-expanded="false" aria-controls="nav" @click=${toggleMenu}>${icon('menu')}
        <span class="hidden">Pages</span></button>
    </header>
    <div class="side" id="nav" @click=${closeMenu}>
      <nav aria-label="Pages">
        ${sections.map((section) => html`<a href=${link(section.place)} title="g ${section.key}"
          aria-current=${section === current ? 'page' : nothing}>${icon(section.icon)}<span>${section.name}</span></a>`)}
      </nav>
      <div class="side-foot">
        <button class="quiet" @click=${switchTheme} title="d">${icon(theme.get() === 'dark' ? 'sun' : 'moon')}
          <span>${theme.get() === 'dark' ? 'Light' : 'Dark'}</span></button>
        <button class="quiet" @click=${showShortcuts} title="?">${icon('keys')}<span>Shortcuts</span></button>
      </div>
    </div>
    <main id="main" tabindex="-1">
      ${connection.get() === 'lost' ? html`<p class="lost"
        role="alert">${icon('warning')}<span>The server does not answer. Trying again;
        what is shown is what it said last.</span></p>` : nothing}
      ${content}
    </main>`;
}

function state() {
  const [name, title] = STATES[connection.get()];
  return html`<span class="state ${connection.get()}" role="status" title=${title}><i></i>${name}</span>`;
}

/** The hash is the page's place, so a jump to the content cannot be a link. */
function toMain(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

function toggleMenu(event) {
  const open = document.getElementById('nav').classList.toggle('open');
  event.currentTarget.setAttribute('aria-expanded', String(open));
}

function closeMenu() {
  document.getElementById('nav').classList.remove('open');
  document.querySelector('.menu-button').setAttribute('aria-expanded', 'false');
}
