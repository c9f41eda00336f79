import { html, nothing } from '../core/lib.js';

const DEEPEST = 64;
const MOST = 200;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.source;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.source;
const TOKEN = new RegExp(`\\s*(?:([{}[\\],:])|(${STRING})|(${NUMBER})|(true|false|null))`, 'y');

/**
 * Reads a JSON text into a tree that keeps each number as it stands, for a browser's own would round the long ones, and each name
 * that stands twice. null when it is no JSON, or too deep to be worth a tree.
 */
export function readJson(text) {
  TOKEN.lastIndex = 0;
  let token;
  const next = () => {
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError();
    token = { mark: match[1], string: match[2], number: match[3], word: match[4] };
  };
  const value = (depth) => {
    if (depth > DEEPEST) throw new SyntaxError();
    if (token.mark === '{') return members(depth, '}', true);
    if (token.mark === '[') return members(depth, ']', false);
    if (token.mark) throw new SyntaxError();
    return token.string !== undefined ? { kind: 'string', text: token.string }
      : token.number !== undefined ? { kind: 'number', text: token.number } : { kind: 'word', text: token.word };
  };
  const members = (depth, end, named) => {
    const entries = [];
    next();
    if (token.mark === end) return { kind: named ? 'object' : 'array', entries };
    for (;;) {
      let name = null;
      if (named) {
        if (token.string === undefined) throw new SyntaxError();
        name = token.string;
        next();
        if (token.mark !== ':') throw new SyntaxError();
        next();
      }
      entries.push({ name, value: value(depth + 1) });
      next();
      if (token.mark === end) return { kind: named ? 'object' : 'array', entries };
      if (token.mark !== ',') throw new SyntaxError();
      next();
    }
  };
  try {
    next();
    const root = value(0);
    return /^\s*$/.test(text.slice(TOKEN.lastIndex)) ? root : null;
  } catch {
    return null;
  }
}

/** A tree whose branches fold. */
export function jsonTree(node) {
  return html`<div class="json">${branch(null, node, 0, false)}</div>`;
}

function branch(name, node, depth, comma) {
  const label = name === null ? nothing : html`<span class="j-name">${name}</span>: `;
  const end = comma ? ',' : '';
  if (!node.entries) return html`<div class="j-leaf">${label}<span class="j-${node.kind}">${node.text}</span>${end}</div>`;
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  if (!node.entries.length) return html`<div class="j-leaf">${label}${open}${close}${end}</div>`;
  const shown = node.entries.slice(0, MOST);
  const more = node.entries.length - shown.length;
  return html`<details ?open=${depth < 3}><summary>${label}${open}<span class="j-fold"> ${node.entries.length}
    ${close}${end}</span></summary>
    <div class="j-in">${shown.map((entry, i) => branch(entry.name, entry.value, depth + 1, i < node.entries.length - 1))}
    ${more ? html`<div class="j-leaf j-fold">and ${more} more; see Text</div>` : nothing}</div>
    <div class="j-end">${close}${end}</div></details>`;
}
