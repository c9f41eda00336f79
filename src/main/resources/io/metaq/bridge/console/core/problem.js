// What failed, and what one can do about it.

const REMEDIES = {
  unreachable: 'Look whether the server runs. This page tries again by itself.',
  'timed-out': 'The brokers may be busy or away; the Cluster page shows them.',
  unavailable: 'No broker or name server answers. This page tries again by itself.',
  'not-permitted': 'Set adminAllowedFrom to include the address you come from, or open the console on the server itself.',
  'origin-refused': 'Open the console at the server’s own address, or name this one in httpOrigins.',
  'host-refused': 'Name this host in httpHosts.',
  'unknown-topic': 'It may have been deleted. The Topics page lists what is there.',
  'unknown-group': 'It may have been deleted. The Groups page lists what is there.',
  'unknown-message': 'It may be older than what the brokers keep, or the id may be incomplete.',
  'unknown-queue': 'Choose one of the queues the topic has.',
  'invalid-filter': 'Tags are joined by ||, as in paid || shipped; SQL compares properties, as in region = \'eu\' AND weight > 5.',
  'broker-failed': 'The broker’s log says more.',
  internal: 'The server’s log says more.',
};

/** Any failure, in the shape of the server's problem documents. */
export class Problem extends Error {
  constructor(kind, title, detail, status = 0) {
    super(detail || title);
    Object.assign(this, { kind, title, detail, status });
  }

  static of(document, status) {
    return document?.title
      ? new Problem(String(document.type).replace('urn:metaq:problem:', ''), document.title, document.detail, status)
      : Problem.foreign(status);
  }

  static unreachable() {
    return new Problem('unreachable', 'The server does not answer', 'The connection failed.');
  }

  static timedOut() {
    return new Problem('timed-out', 'No answer came in time', 'The request was given up.');
  }

  static foreign(status) {
    return new Problem('foreign', 'This answer is not MetaQ’s', `Something in between answered with status ${status}.`, status);
  }

  /** Of what the WebSocket refused. */
  static refused({ code, message }) {
    return new Problem(code.toLowerCase().replaceAll('_', '-'), 'The server refused this', message);
  }

  /** Of whatever was thrown. */
  static from(failure) {
    if (failure instanceof Problem) return failure;
    if (failure?.name === 'MetaqError') return Problem.refused(failure);
    console.error(failure);
    return new Problem('console', 'The console failed', String(failure?.message ?? failure));
  }

  /** What to do; empty when the detail says it all. */
  get remedy() {
    return REMEDIES[this.kind] ?? '';
  }
}
