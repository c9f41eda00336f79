import { html, nothing } from '../core/lib.js';
import { behind, disk, dispatch, flow, keepHistory, latency, moment, stats, trouble, volume } from '../core/history.js';
import { bytes, bytesRate, count, percent, plural, rate, span, text } from '../core/format.js';
import { path } from '../core/api.js';
import { link } from '../core/router.js';
import { failed, waiting, warned } from '../parts/notice.js';
import { stat } from '../parts/figures.js';
import { brokerStrip } from '../parts/brokers.js';
import { firstSteps } from '../parts/first-steps.js';
import { BINARY } from '../parts/chart.js';

const FULL = 0.85;

export function open(page) {
  keepHistory();
  page.onLeave(moment.watch(page.update));
  page.onLeave(trouble.watch(page.update));
  const topics = page.watch(path`topics`, 5000);
  const groups = page.watch(path`groups`, 5000);

  return () => {
    const brokers = stats.get();
    const fresh = topics.value && !topics.value.topics.some((topic) => topic.kind === 'NORMAL');
    return html`<header class="page-head"><div><h1 tabindex="-1">Overview</h1>${brokers ? html`<p>${summary(brokers)}</p>`
      : nothing}</div></header>
      ${brokers ? content(brokers, groups.value?.groups, fresh, page) : trouble.get() ? failed(trouble.get()) : waiting(8)}`;
  };
}

function summary(brokers) {
  const clusters = [...new Set(brokers.map((broker) => broker.cluster))].join(', ');
  const masters = brokers.filter((broker) => broker.role === 'MASTER').length;
  const slaves = brokers.length - masters;
  return `${clusters} · ${plural(masters, 'master')}${slaves ? ` and ${plural(slaves, 'slave')}` : ''}`;
}

function content(brokers, groups, fresh, page) {
  return html`
    ${worries(brokers)}
    ${fresh ? firstSteps(page) : nothing}
    ${figures(groups)}
    <section class="charts" aria-label="The last five minutes">
      ${chart('Messages', [['in', 'c1'], ['out', 'c2']], flow.columns, rate, 10)}
      ${chart('Time of a send at the broker', [['p50', 'c1'], ['p99', 'c2'], ['p99.9', 'c3']], latency.columns, span, 1)}
      ${chart('Volume', [['in', 'c1'], ['out', 'c2']], volume.columns, bytesRate, 1024, BINARY)}
      ${chart('Behind the log', [['not yet in queues', 'c1'], ['not yet forced to disk', 'c2']], dispatch.columns, bytes, 1024,
        BINARY)}
      ${brokers.some((broker) => broker.role === 'SLAVE') ? html`
        ${chart('Replication lag', [['slowest slave', 'c1']], behind.columns, bytes, 1024, BINARY)}
        ${chart('Disk used', [['fullest', 'c1']], disk.columns, percent, 1)}` : nothing}
    </section>
    <h2>Brokers</h2>
    ${brokerStrip(brokers)}`;
}

function figures(groups) {
  const [incoming, outgoing] = flow.last;
  const [, p99] = latency.last;
  const [used] = disk.last;
  const own = groups?.filter((group) => !group.system);
  const lag = own ? own.reduce((all, group) => (all === null || group.lag === null ? null : all + Number(group.lag)), 0) : null;
  const furthest = own?.reduce((most, group) => (Number(group.lag) > Number(most?.lag ?? 0) ? group : most), null);
  return html`<dl class="stats">
    ${stat('In', rate(incoming), { title: 'Messages stored, mean of ten seconds' })}
    ${stat('Out', rate(outgoing), { title: 'Messages delivered, mean of ten seconds' })}
    ${stat('Send p99', span(p99), { title: 'Of the last minute, at the slowest broker' })}
    ${stat('Waiting', [count(lag), ''], { title: 'Messages that groups have still to consume', note: furthest
      ? html`<a href=${link(['groups', furthest.group])}>${furthest.group}</a>` : '' })}
    ${stat('Disk', percent(used), { title: 'Of the fullest broker', tone: used > FULL ? 'warn' : '' })}
  </dl>`;
}

function chart(heading, lines, columns, show, top, steps) {
  return html`<mq-chart class="panel" .heading=${heading} .lines=${lines.map(([name, tone]) => ({ name, tone }))} .show=${show}
    .top=${top}
    .steps=${steps} .data=${[...columns]}></mq-chart>`;
}

/** What someone should look at. */
function worries(brokers) {
  const away = brokers.filter((broker) => !broker.reachable);
  const full = brokers.filter((broker) => broker.disk.usedRatio > FULL);
  const contradicting = brokers.reduce((most, broker) => Math.max(most, broker.contradictingGroups ?? 0), 0);
  return html`
    ${away.map((broker) => warned(`${broker.name} (${broker.role.toLowerCase()} ${broker.id}) does not answer`,
      broker.fault ?? ''))}
    ${full.map((broker) => warned(`The disk of ${broker.name} is ${text(percent(broker.disk.usedRatio))} full`,
      'The oldest messages are deleted even when they are not old (diskSpaceCleanForciblyRatio).'))}
    ${contradicting ? warned(html`${plural(contradicting, 'group')} with members that want different messages`,
      html`<a href=${link(['groups'])}>Groups</a> tells which.`) : nothing}`;
}
