import { html, nothing } from '../core/lib.js';
import { between, bytes, known, percent, rate, text } from '../core/format.js';
import { link } from '../core/router.js';
import { age, number } from './figures.js';
import { bar } from './spark.js';

const FULL = 0.85;

/** A card for each broker: how it is, in one look. */
export function brokerStrip(brokers) {
  return html`<div class="brokers">${brokers.map((broker) => html`<article class="panel broker ${broker.reachable ? '' : 'away'}">
    <header><h3><a href=${link(['cluster'],
      { broker: `${broker.name}:${broker.id}` })}>${broker.name}</a></h3>${role(broker)}${health(broker)}</header>
    <dl>
      <div><dt>In</dt><dd>${number(broker.storedPerSecond, rate)}</dd></div>
      <div><dt>Out</dt><dd>${number(broker.readPerSecond, rate)}</dd></div>
      <div><dt>Disk</dt><dd>${number(broker.disk.usedRatio, percent)}</dd></div>
      ${broker.role === 'SLAVE' ? html`<div><dt>Behind</dt><dd>${number(slaveLag(broker, brokers), bytes)}</dd></div>`
        : html`<div><dt>Up</dt><dd>${age(broker.upSince, 'not known')}</dd></div>`}
    </dl>
    ${known(broker.disk.usedRatio) ? bar(broker.disk.usedRatio, broker.disk.usedRatio > FULL ? 'warn' : '') : nothing}
  </article>`)}</div>`;
}

export const role = (broker) => html`<span class="badge">${broker.role === 'MASTER' ? 'master' : `slave ${broker.id}`}</span>`;

export function health(broker) {
  return broker.reachable ? html`<span class="health"><i></i>up</span>`
    : html`<span class="health bad" title=${broker.fault ?? ''}><i></i>no answer</span>`;
}

/** Bytes a slave has still to copy: as it says, or by the ends of the two logs. */
export function slaveLag(broker, brokers) {
  const told = broker.replication?.master?.lagBytes;
  if (known(told)) return told;
  const master = brokers.find((other) => other.role === 'MASTER' && other.name === broker.name);
  return known(master?.log.maxOffset) && known(broker.log.maxOffset)
    ? Math.max(0, Number(between(broker.log.maxOffset, master.log.maxOffset))) : null;
}

export const diskText = (disk) => (known(disk.freeBytes) ? `${text(bytes(disk.freeBytes))} free of ${text(bytes(disk.totalBytes))}`
  : '');
