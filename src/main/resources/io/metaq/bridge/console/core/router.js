// Places are hashes, #/topics/orders?q=x: each can be linked to, and the server knows none of them.

/** {names: ['topics', 'orders'], query: URLSearchParams}. */
export function here() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { names: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Link to a place; parameters that are empty are left out. */
export function link(names, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== ''
    && value !== false);
  return '#/' + names.map(encodeURIComponent).join('/') + (given.length ? '?' + new URLSearchParams(given) : '');
}

export function go(names, parameters) {
  location.hash = link(names, parameters);
}

/** Changes parameters of this place without a step in the history; the page stays as it is. */
export function note(parameters) {
  const { names, query } = here();
  const all = { ...Object.fromEntries(query), ...parameters };
  history.replaceState(history.state, '', link(names, all));
}
