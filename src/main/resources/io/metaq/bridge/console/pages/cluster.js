import { html, nothing } from '../core/lib.js';
import { path, query } from '../core/api.js';
import { note } from '../core/router.js';
import { bytes, count, known, percent, plural, rate, span, text } from '../core/format.js';
import { keepHistory, stats, trouble } from '../core/history.js';
import { choice, search } from '../parts/fields.js';
import { age, number, when } from '../parts/figures.js';
import { empty, failed, loaded, waiting } from '../parts/notice.js';
import { diskText, health, role, slaveLag } from '../parts/brokers.js';
import { table } from '../parts/table.js';

export function open(page) {
  keepHistory();
  page.onLeave(stats.watch(page.update));
  page.onLeave(trouble.watch(page.update));
  const own = page.look(path`config`);
  const configs = new Map();
  let wanted = page.query.get('q') ?? '';
  let chosen = page.query.get('broker') ?? '';

  const change = (how) => {
    how();
    note({ q: wanted, broker: chosen });
    page.update();
  };

  /** Settings of the process that serves this page, or of a broker. */
  function settings() {
    if (!chosen) return own;
    if (!configs.has(chosen)) {
      const at = chosen.lastIndexOf(':');
      configs.set(chosen, page.look(query(path`brokers/${chosen.slice(0, at)}/config`, { id: chosen.slice(at + 1) })));
    }
    return configs.get(chosen);
  }

  return () => {
    const brokers = stats.get();
    return html`<header class="page-head"><div><h1 tabindex="-1">Cluster</h1>${brokers ? html`<p>${plural(brokers.length,
      'broker')}</p>` : nothing}</div></header>
      ${brokers ? html`${nameServers(own.value, brokers)}<h2>Brokers</h2>${brokerTable(brokers)}${replication(brokers)}`
        : trouble.get() ? failed(trouble.get()) : waiting(6)}
      <div class="section-head"><h2>Configuration</h2><div class="actions">
        ${brokers ? choice('Configuration of', [['', 'This server'],
          ...brokers.filter((broker) => broker.reachable).map((broker) => [`${broker.name}:${broker.id}`,
          broker.role === 'MASTER' ? broker.name : `${broker.name} slave ${broker.id}`])], chosen,
            (name) => change(() => { chosen = name; })) : nothing}
        ${search(wanted, (typed) => change(() => { wanted = typed; }), 'Search keys and values')}</div></div>
      ${loaded(settings(), (value) => settingsTable(value.settings, wanted), 6)}`;
  };
}

function nameServers(config, brokers) {
  const told = config?.settings.namesrvAddr?.value;
  const own = config?.settings.namesrvListenPort?.value;
  const clusters = [...new Set(brokers.map((broker) => broker.cluster))];
  return html`<dl class="panel facts cluster-facts"><div><dt>Cluster</dt><dd>${clusters.join(', ')}</dd></div>
    <div><dt>Name servers</dt><dd>${told ? told.split(/[;,]/).map((address) => html`<code>${address}</code> `)
      : own ? html`in this process, port <code>${own}</code>` : html`<span class="unknown"
        title="not known">–</span>`}</dd></div></dl>`;
}

function brokerTable(brokers) {
  return table({ label: 'Brokers', rows: brokers, key: (row) => `${row.name}:${row.id}`, columns: [
    { name: 'name', title: 'Broker', main: true, cell: (row) => html`<span class="row-line">${row.name} ${role(row)}</span>` },
    { name: 'health', title: 'State', cell: (row) => html`${health(row)}${row.fault ? html`<small>${row.fault}</small>`
      : nothing}` },
    { name: 'address', title: 'Address', cell: (row) => html`<code>${row.address}</code>` },
    { name: 'version', title: 'Version', wide: true, cell: (row) => row.version ?? '–' },
    { name: 'up', title: 'Up', num: true, cell: (row) => age(row.upSince, 'not known') },
    { name: 'in', title: 'In', num: true, cell: (row) => number(row.storedPerSecond, rate) },
    { name: 'out', title: 'Out', num: true, cell: (row) => number(row.readPerSecond, rate) },
    { name: 'p99', title: 'Send p99', num: true, cell: (row) => number(row.sendLatencyMs.p99, span) },
    { name: 'disk', title: 'Disk', num: true, cell: (row) => html`<span title=${diskText(row.disk)}>${number(row.disk.usedRatio,
      percent)}</span>` },
    { name: 'heap', title: 'Heap', num: true, wide: true, cell: (row) => number(row.memory.heapUsedBytes, bytes) },
    { name: 'clients', title: 'Clients', num: true, wide: true, cell: clients },
  ] });
}

function clients({ clients: { producers, consumers } }) {
  return known(producers) ? html`<span title=${`${plural(producers, 'producer')}, ${plural(consumers,
    'consumer')}`}>${number(producers + consumers)}</span>` : number(null);
}

function replication(brokers) {
  const links = brokers.filter((broker) => broker.role === 'MASTER').flatMap((master) => (master.replication?.followers ?? [])
    .map((follower) => ({ ...follower, master: master.name })));
  const slaves = brokers.filter((broker) => broker.role === 'SLAVE');
  if (!links.length && !slaves.length) return nothing;
  return html`<h2>Replication</h2>${links.length ? table({ label: 'Replication', rows: links,
    key: (row) => row.master + row.address, columns: [
    { name: 'follower', title: 'Slave', main: true, cell: (row) => html`<code>${row.address}</code> of ${row.master}` },
    { name: 'sync', title: 'State', cell: (row) => (row.inSync ? html`<span class="health"><i></i>in step</span>` : html`<span
      class="badge warn">behind</span>`) },
    { name: 'lag', title: 'Behind', num: true, cell: (row) => number(row.lagBytes, bytes) },
    { name: 'speed', title: 'Copied', num: true, cell: (row) => number(row.bytesPerSecond, (value) => bytes(value).map((part,
      i) => (i ? part + '/s' : part))) },
    { name: 'offset', title: 'Acknowledged to', num: true, cell: (row) => number(row.acknowledgedOffset) },
    { name: 'last', title: 'Last answer', num: true, cell: (row) => when(row.lastAnsweredAt) },
  ] }) : table({ label: 'Replication', rows: slaves, key: (row) => `${row.name}:${row.id}`, columns: [
    { name: 'slave', title: 'Slave', main: true, cell: (row) => html`${row.name} ${role(row)}` },
    { name: 'lag', title: 'Behind', num: true, cell: (row) => number(slaveLag(row, brokers), (value) => [text(bytes(value)), '']) },
  ] })}`;
}

function settingsTable(settings, wanted) {
  const words = wanted.trim().toLowerCase();
  const rows = Object.entries(settings).map(([key, value]) => (typeof value === 'object' ? { key, ...value } : { key, value,
    origin: null }))
    .filter(({ key, value }) => (key + ' ' + value).toLowerCase().includes(words))
    .sort((one, other) => (one.origin === 'default') - (other.origin === 'default') || one.key.localeCompare(other.key));
  if (!rows.length) return empty(`No key or value has “${wanted}”`);
  const origins = rows.some((row) => row.origin !== null);
  return table({ label: 'Configuration', rows, key: (row) => row.key, columns: [
    { name: 'key', title: 'Key', main: true, cell: (row) => html`<code>${row.key}</code>` },
    { name: 'value', title: 'Value', long: true, cell: (row) => (row.value === '' ? html`<span class="unknown">empty</span>`
      : html`<code>${row.value}</code>`) },
    ...(origins ? [{ name: 'origin', title: 'Set by', long: true, cell: (row) => (row.origin === 'default' ? html`<span
      class="unknown">default</span>`
      : html`<span class="badge accent">${row.origin}</span>`) }] : []),
  ] });
}
