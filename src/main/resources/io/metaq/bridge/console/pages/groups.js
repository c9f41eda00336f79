import { html, nothing } from '../core/lib.js';
import { path, query } from '../core/api.js';
import { link, note } from '../core/router.js';
import { plural, rate } from '../core/format.js';
import { Trends } from '../core/trends.js';
import { search, toggle } from '../parts/fields.js';
import { age, number } from '../parts/figures.js';
import { icon } from '../parts/icons.js';
import { empty, loaded, warned, without } from '../parts/notice.js';
import { sortOf, sortText, table } from '../parts/table.js';
import { spark } from '../parts/spark.js';

const EVERY_MS = 3000;
const MOST_WATCHED = 100;
const trends = new Trends();

export function open(page) {
  const groups = page.watch(path`groups`, EVERY_MS);
  page.every(EVERY_MS, groups, () => groups.value?.groups.forEach((group) => trends.add(group.group, numberOf(group.lag))));
  const details = page.watchEach(5000);
  let wanted = page.query.get('q') ?? '';
  let system = page.query.has('system');
  let sort = sortOf(page.query, { by: 'group', down: false });

  const change = (how) => {
    how();
    note({ q: wanted, system: system ? 1 : '', sort: sort.by === 'group' && !sort.down ? '' : sortText(sort) });
    page.update();
  };

  function list(found) {
    return html`${without(found.missing)}${those(found.groups)}`;
  }

  function those(all) {
    const rows = all.filter((group) => (system || !group.system)
      && group.group.toLowerCase().includes(wanted.trim().toLowerCase()));
    if (!all.some((group) => system || !group.system)) return empty('No groups yet',
      'A group appears when its first member connects.');
    if (!rows.length) return empty(`No group has “${wanted}” in its name`);
    const views = details(rows.slice(0, MOST_WATCHED).map(pathOf));
    const detail = (row) => views.get(pathOf(row));
    const split = rows.filter((row) => detail(row)?.contradictions.length);
    return html`${split.map((row) => warned(html`The members of <a href=${link(['groups',
      row.group])}>${row.group}</a> want different messages`,
      detail(row).contradictions[0]))}
      ${table({ label: 'Groups', rows, key: (row) => row.group, columns: columns(detail), sort,
        sorted: (next) => change(() => { sort = next; }) })}`;
  }

  return () => html`<header class="page-head"><div><h1 tabindex="-1">Groups</h1>${groups.value
      ? html`<p>${plural(groups.value.groups.filter((group) => !group.system).length, 'consumer group')}</p>` : nothing}</div>
    <div class="actions">${search(wanted, (text) => change(() => { wanted = text; }), 'Search groups')}
      ${toggle('System groups', system, (on) => change(() => { system = on; }))}</div></header>
    ${loaded(groups, list, 6)}`;
}

const numberOf = (value) => (value === null ? null : Number(value));
const pathOf = ({ group }) => query(path`groups/${group}`, { members: false });

function columns(detail) {
  const oldest = (row) => detail(row)?.oldestUnacknowledgedAt ?? null;
  return [
    { name: 'group', title: 'Group', main: true, sort: (row) => row.group, cell: (row) => html`<span class="row-line"><a
      href=${link(['groups', row.group])}>${row.group}</a>${row.system ? html`<span class="badge">system</span>` : nothing}
      ${detail(row)?.contradictions.length ? html`<span class="badge bad">${icon('warning')}contradiction</span>`
        : nothing}</span>` },
    { name: 'members', title: 'Members', num: true, sort: (row) => row.members,
      cell: (row) => (row.members !== 0 ? number(row.members)
      : html`<span class="unknown">none</span>`) },
    { name: 'lag', title: 'Waiting', num: true, sort: (row) => numberOf(row.lag),
      cell: (row) => html`${number(row.lag)}${spark(trends.of(row.group))}` },
    { name: 'oldest', title: 'Oldest', num: true, sort: (row) => (oldest(row) ? Date.now() - new Date(oldest(row)) : null),
      cell: (row) => age(oldest(row), 'nothing waits') },
    { name: 'rate', title: 'Consumed', num: true, sort: (row) => detail(row)?.consumedPerSecond,
      cell: (row) => number(detail(row)?.consumedPerSecond, rate) },
    { name: 'topics', title: 'Topics', wide: true, cell: (row) => topicLinks(row.topics) },
  ];
}

const SHOWN = 3;

function topicLinks(topics) {
  const own = topics.filter((topic) => !topic.startsWith('%'));
  return html`<span class="row-line">${own.slice(0, SHOWN).map((topic) => html`<a href=${link(['topics', topic])}>${topic}</a>`)}
    ${own.length > SHOWN ? html`<span class="unknown" title=${own.slice(SHOWN).join(', ')}>and ${own.length - SHOWN} more</span>`
      : nothing}</span>`;
}
