import { html } from '../core/lib.js';
import { Problem } from '../core/problem.js';
import { failed, waiting } from '../parts/notice.js';

/** Swagger UI, which is ten times the console: it comes when this page is opened, and not before. */
export function open(page) {
  let ready = false;
  let problem = null;

  load().then(() => {
    ready = true;
    page.update();
    requestAnimationFrame(() => requestAnimationFrame(start));
  }, () => {
    problem = Problem.unreachable();
    page.update();
  });

  function start() {
    if (page.left) return;
    window.SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger', deepLinking: false, docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      validatorUrl: null, syntaxHighlight: false });
  }

  return () => html`<header class="page-head"><div><h1 tabindex="-1">API</h1><p>Every path of this server, to read and to try. <a
    href="/openapi.json">openapi.json</a></p></div></header>
    ${problem ? failed(problem) : ready ? html`<div id="swagger" class="panel"></div>` : waiting(6)}`;
}

let loading = null;

function load() {
  loading ??= Promise.all([
    element('link', { rel: 'stylesheet', href: '/lib/swagger-ui/swagger-ui.css' }),
    element('script', { src: '/lib/swagger-ui/swagger-ui-bundle.js' }),
  ]).catch((failure) => {
    loading = null;
    throw failure;
  });
  return loading;
}

function element(name, properties) {
  return new Promise((resolve, reject) => {
    const made = Object.assign(document.createElement(name), properties);
    made.onload = resolve;
    made.onerror = reject;
    document.head.append(made);
  });
}
