import { html } from '../core/lib.js';
import { path } from '../core/api.js';
import { command } from './copy.js';

let config = { page: null, view: null };

/** Three commands to try, with the addresses of this server. */
export function firstSteps(page) {
  if (config.page !== page) config = { page, view: page.look(path`config`) };
  const settings = config.view.value?.settings ?? {};
  const at = settings.namesrvAddr?.value || `${location.hostname}:${settings.namesrvListenPort?.value ?? 9876}`;
  return html`<section class="panel first-steps">
    <h2>No topics yet</h2>
    <p>Send a first message, read it, and send another one by HTTP. The first send makes topic <code>hello</code>.</p>
    <ol>
      <li>${command(`java -jar metaq.jar produce -n ${at} -t hello "first message"`)}</li>
      <li>${command(`java -jar metaq.jar consume -n ${at} -t hello -g readers --count 1`)}</li>
      <li>${command(`curl -d "second message" ${location.origin}/v1/topics/hello/messages`)}</li>
    </ol>
  </section>`;
}
