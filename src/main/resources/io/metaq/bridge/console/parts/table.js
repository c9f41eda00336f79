import { html, nothing, repeat } from '../core/lib.js';
import { icon } from './icons.js';

/**
 * A table whose rows become cards where it is narrow.
 *
 * columns: {name, title, num, sort: row => value, cell: row => content, main: heads the card, long: twice as wide on
 * cards, wide: not on cards}
 * sort: {by, down}, and sorted(by) asks for another order; without it the rows stay as they come.
 */
export function table({ label, columns, rows, key, sort, sorted, cards = true, marked = () => false }) {
  const shown = sort ? inOrder(rows, columns, sort) : rows;
  return html`<div class="table-frame ${cards ? 'cards' : ''}" tabindex=${cards ? nothing : 0} role="region" aria-label=${label}>
    <table>
      <thead><tr>${columns.map((column) => head(column, sort, sorted))}</tr></thead>
      <tbody>${repeat(shown, key, (row) => html`<tr data-row class=${marked(row) ? 'marked'
        : nothing}>${columns.map((column) => html`<td
        data-title=${column.title} class="${column.num ? 'right' : ''} ${column.main ? 'main' : ''} ${column.long ? 'long'
          : ''} ${column.wide ? 'wide-only' : ''}"
        >${column.cell(row)}</td>`)}</tr>`)}</tbody>
    </table></div>`;
}

function head(column, sort, sorted) {
  const look = `${column.num ? 'right' : ''} ${column.wide ? 'wide-only' : ''}`;
  if (!sort || !column.sort) return html`<th scope="col" class=${look}>${column.title}</th>`;
  const by = sort.by === column.name;
  return html`<th scope="col" class=${look} aria-sort=${by ? (sort.down ? 'descending' : 'ascending') : nothing}>
    <button class="sort" @click=${() => sorted({ by: column.name, down: by ? !sort.down : Boolean(column.num) })}>
    <span>${column.title}</span>${by ? icon(sort.down ? 'down' : 'up') : nothing}</button></th>`;
}

/** What is not known comes last, either way. */
export function inOrder(rows, columns, { by, down }) {
  const column = columns.find(({ name }) => name === by) ?? columns[0];
  const sign = down ? -1 : 1;
  if (!column.sort) return rows;
  return [...rows].sort((one, other) => {
    const a = column.sort(one);
    const b = column.sort(other);
    if (a == null || b == null) return (a == null) - (b == null);
    return sign * (typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b);
  });
}

/** sort=-messages in the query. */
export function sortOf(query, usual) {
  const text = query.get('sort');
  return text ? { by: text.replace(/^-/, ''), down: text.startsWith('-') } : usual;
}

export const sortText = ({ by, down }) => (down ? '-' : '') + by;
