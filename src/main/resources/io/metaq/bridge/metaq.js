/**
 * MetaQ in a browser: publish, subscribe, watch, over one WebSocket that comes back by itself. No dependency; types in metaq.d.ts.
 *
 *   import { connect } from '/metaq.js';
 *   const mq = connect();
 *   await mq.publish('orders', { json: { id: 7 }, tag: 'paid' });
 *   for await (const m of mq.subscribe('orders', { from: 'earliest' })) console.log(m.json());
 *
 * Served without comments and with short names for #members, _members (which several classes here use, and nobody else) and constants;
 * as it stands at /metaq.src.js.
 */

const UNDER_WAY = 128; // messages that wait for their receipts; more wait here, for the server takes no more than 256
const MOST_BUFFERED = 1 << 20; // bytes the browser has not yet sent
const BEAT_MS = 10_000;
const SILENT_BEATS = 3; // then the connection is taken for dead
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 10_000;
const FLUSH_MS = 50;
const REMEMBERED = 10_000; // acknowledged messages, see Subscription
const UNCERTAIN_MS = 60_000; // an acknowledgement may be lost by a cut for so long
const RETURN_MS = 300_000; // and its message come again for so long
const TOO_BIG = 1009;
const TRIES = 8;
const SETTLING = 'settling'; // of acknowledgements, whose answers nobody waits for
/** What may be over in a moment, as the server is there before its brokers are, */
const AWAY = ['UNAVAILABLE', 'TIMED_OUT'];
/** and what may be, where it had worked before. */
const PASSING = [...AWAY, 'UNKNOWN_TOPIC', 'BROKER_FAILED'];

const now = () => performance.now();
const backoff = (tries) => Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** tries) * (0.5 + Math.random() / 2);
const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
const base64 = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));

/** Does it when the signal says so, also when it has done so already; gives what stops waiting for that. */
const whenAborted = (signal, act) => {
  if (signal?.aborted) act();
  signal?.addEventListener('abort', act);
  return () => signal?.removeEventListener('abort', act);
};

/** What went wrong. `code` is the kind, as the server names it (docs/http.md), or CLOSED, MALFORMED_FRAME. */
export class MetaqError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'MetaqError';
    this.code = code;
  }
}

/** Connects at once. `url`: the server's; usually that which this module came from. */
export function connect(url = '/', options = {}) {
  return new Connection(url, options);
}

class Connection extends EventTarget {
  #url;
  #state = 'connecting';
  #socket;
  #beat;
  #retry;
  #silent = 0;
  #failures = 0;
  #ids = 0;
  #queue = []; // publishes to be sent
  #calls = new Map(); // publishes under way, by id, in order
  #flows = new Map();
  #online = () => this.#state === 'waiting' && this.#open();

  constructor(url, { signal }) {
    super();
    this.#url = new URL(url, import.meta.url);
    this.#url.protocol = this.#url.protocol.replace('http', 'ws');
    if (this.#url.pathname === '/') this.#url.pathname = '/v1/ws';
    globalThis.addEventListener?.('online', this.#online);
    this.#open();
    whenAborted(signal, () => this.close());
  }

  get state() {
    return this.#state;
  }

  on(type, listener) {
    this.addEventListener(type, listener);
    return () => this.removeEventListener(type, listener);
  }

  /** Stores one message once, over cuts of the connection, too; gives its receipt. */
  async publish(topic, message, { signal } = {}) {
    if (this.#state === 'closed') throw closed();
    const bytes = message instanceof Uint8Array;
    const fields = typeof message === 'string' ? { body: message } : bytes ? { bodyBase64: base64(message) } : message;
    const call = { id: String(++this.#ids), tries: 0, cuts: 0 };
    call.text = JSON.stringify({ op: 'publish', ref: call.id, topic, idempotencyKey: randomKey(), ...fields });
    const answer = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
    this.#queue.push(call);
    const stopWaiting = whenAborted(signal, () => {
      call.over = true;
      this.#queue = this.#queue.filter((waiting) => waiting !== call);
      call.reject(signal.reason);
    });
    this.#pump();
    return answer.finally(stopWaiting);
  }

  /** Messages of a topic, for `for await`. Begins at once; `ready` is fulfilled when the server has begun. */
  subscribe(topic, options = {}) {
    return this.#flow(Subscription, { topic, ...options });
  }

  /** What the server answers to a GET of the path, now and whenever it has changed; the newest only. */
  watch(path, options = {}) {
    return this.#flow(Watch, { path, ...options });
  }

  /** Ends every subscription and, after what is acknowledged, the connection. */
  close() {
    if (this.#state === 'closed') return;
    for (const flow of [...this.#flows.values()]) flow.return();
    for (const call of [...this.#calls.values(), ...this.#queue]) call.reject(closed());
    this.#calls.clear();
    this.#queue = [];
    globalThis.removeEventListener?.('online', this.#online);
    this.#state = 'closed';
    this.#leave();
    this.#tell('close', { code: 1000, reason: 'closed by the page', retryMs: null });
  }

  #flow(Kind, { signal, ...options }) {
    const id = String(++this.#ids);
    const flow = new Kind(id, options, {
      _send: (frame) => this.#state === 'open' && (this.#socket.send(JSON.stringify(frame)), true),
      _error: (error) => this.#tell('error', error),
      _gone: () => this.#flows.delete(id),
    });
    if (this.#state === 'closed') {
      flow._fail(closed());
    } else {
      this.#flows.set(id, flow);
      flow._abortBy(signal);
      flow._start();
    }
    return flow;
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #open() {
    clearTimeout(this.#retry);
    this.#state = 'connecting';
    this.#silent = 0;
    const socket = new WebSocket(this.#url, 'metaq.v1.json');
    this.#socket = socket;
    this.#beat = setInterval(() => this.#listen(), BEAT_MS);
    socket.onopen = () => {
      this.#state = 'open';
      this.#silent = 0;
      for (const flow of [...this.#flows.values()]) flow._start();
      this.#pump();
      this.#tell('open');
    };
    socket.onmessage = ({ data }) => this.#heard(data);
    socket.onclose = ({ code, reason }) => this.#cut(code, reason);
  }

  /** Lets go of the socket; nothing of it is heard any more. */
  #leave() {
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #listen() {
    if (++this.#silent > SILENT_BEATS) this.#cut(1006, 'nothing was heard for too long');
    else if (this.#state === 'open') this.#socket.send('{"op":"ping"}');
  }

  #cut(code, reason) {
    this.#leave();
    this.#state = 'waiting';
    if (code === TOO_BIG && this.#calls.size) {
      const big = [...this.#calls.values()].reduce((a, b) => (a.text.length < b.text.length ? b : a));
      this.#settle(big.id).reject(new MetaqError('TOO_LARGE', reason || 'the message is too large'));
    }
    for (const call of this.#calls.values()) {
      call.over ||= ++call.cuts >= TRIES;
      if (call.over) call.reject(new MetaqError('UNAVAILABLE', `the connection broke ${TRIES} times before a receipt came`));
    }
    this.#queue.unshift(...this.#calls.values());
    this.#calls.clear();
    for (const flow of this.#flows.values()) flow._cut();
    const retryMs = backoff(this.#failures++);
    this.#retry = setTimeout(() => this.#open(), retryMs);
    this.#tell('close', { code, reason, retryMs });
  }

  #pump() {
    // What the connection broke under goes alone the third time: it may be to blame.
    while (this.#state === 'open' && this.#queue.length && this.#calls.size < (this.#queue[0].cuts > 1 ? 1 : UNDER_WAY)) {
      if (this.#socket.bufferedAmount > MOST_BUFFERED && this.#calls.size) return; // a receipt brings us back
      const call = this.#queue.shift();
      if (call.over) continue;
      this.#calls.set(call.id, call);
      this.#socket.send(call.text);
    }
  }

  #settle(id) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    this.#pump();
    return call;
  }

  #heard(data) {
    this.#silent = 0;
    this.#failures = 0;
    let frame;
    try {
      frame = JSON.parse(data);
      if (typeof frame.op !== 'string') throw new TypeError('no op');
    } catch (cause) {
      this.#tell('error', new MetaqError('MALFORMED_FRAME', `the server sent what is no frame: ${cause.message}`));
      return;
    }
    const { op, ref, ...fields } = frame;
    const flow = this.#flows.get(frame.sub ?? ref);
    if (op === 'published') this.#settle(ref)?.resolve(fields);
    else if (op === 'error') this.#refused(frame, flow);
    else if (op === 'subscribed' || op === 'watching') flow?._begin(frame);
    else if (op === 'message' || op === 'view') flow?._arrived(fields);
    // Whatever else a later server says is not for us.
  }

  #refused({ ref, sub, code, message }, flow) {
    const error = new MetaqError(code, message);
    const call = this.#settle(ref);
    if (call?.cuts && PASSING.includes(code) && ++call.tries < TRIES) {
      setTimeout(() => this.#again(call), backoff(call.tries));
    } else if (call) {
      call.reject(error);
    } else if (ref === SETTLING || (ref ?? sub) === undefined) {
      this.#tell('error', error);
    } else if (ref !== undefined || code !== 'UNKNOWN_SUBSCRIPTION') {
      // That would be room for a subscription which the server has ended meanwhile. What has no flow the page itself has ended.
      flow?._refused(error);
    }
  }

  #again(call) {
    if (this.#state === 'closed') return call.reject(closed());
    this.#queue.unshift(call);
    this.#pump();
  }
}

const closed = () => new MetaqError('CLOSED', 'the connection is closed');

/** What comes for one request until it is ended: an async iterator that begins anew after each cut. */
class Flow {
  _items = []; // come, and not handed out
  _live = false; // asked for over the connection there is now
  #began = false;
  #tries = 0;
  #takers = [];
  #end;

  constructor(id, link) {
    this.id = id;
    this._link = link;
    this.ready = new Promise((resolve, reject) => Object.assign(this, { _isReady: resolve, _isRefused: reject }));
    this.ready.catch(() => {}); // who iterates hears of it there
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async next() {
    this._done();
    const item = this._take();
    if (item) return { value: item, done: false };
    if (!this.#end) return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
    const { error } = this.#end;
    this.#end = {};
    if (error) throw error;
    return { value: undefined, done: true };
  }

  async return(value) {
    this._items = [];
    this._fail();
    return { value, done: true };
  }

  /** Without an error: the end. */
  _fail(error) {
    if (this.#end) return;
    this._stop();
    this._link._gone();
    this._stopWaiting?.();
    this._isRefused(error ?? closed());
    const takers = this.#takers;
    this.#end = takers.length ? {} : { error };
    if (error) takers.shift()?.reject(error);
    for (const taker of takers) taker.resolve({ value: undefined, done: true });
  }

  _abortBy(signal) {
    this._stopWaiting = whenAborted(signal, () => {
      this._items = [];
      this._fail(signal.reason);
    });
  }

  _start() {
    if (!this._live && !this.#end) this._live = this._link._send(this._opening());
  }

  _begin() {
    this.#began = true;
    this.#tries = 0;
    this._isReady();
  }

  _cut() {
    this._live = false;
  }

  _refused(error) {
    this._cut();
    if (!(this.#began ? PASSING : AWAY).includes(error.code)) return this._fail(error);
    this._link._error(error);
    setTimeout(() => this._start(), backoff(this.#tries++));
  }

  _come(item) {
    this._items.push(item);
    while (this.#takers.length) {
      const next = this._take();
      if (!next) return;
      this.#takers.shift().resolve({ value: next, done: false });
    }
  }

  _take() {
    return this._items.shift();
  }

  _done() {}
}

class Watch extends Flow {
  constructor(id, { path, everyMs }, link) {
    super(id, link);
    this._opening = () => ({ op: 'watch', ref: id, path, everyMs });
  }

  _arrived(view) {
    this._items = [];
    this._come(view);
  }

  _stop() {
    if (this._live) this._link._send({ op: 'unwatch', ref: this.id });
  }
}

/**
 * Never are more than `credit` messages here that are not done with: each that is gives room for one more. A reader of its own goes
 * on behind the last message that came. A member's messages are leased, and come again after a cut; those it had acknowledged before
 * are acknowledged again and not shown, for a while: later it would be somebody who wants the group to read them again.
 */
class Subscription extends Flow {
  #wanted;
  #credit;
  #member;
  #byHand;
  #position;
  #held = 0;
  #owed = 0; // room not yet told
  #acks = []; // handles not yet told
  #inHand = [];
  #epoch = 0; // counts connections
  #since = 0;
  #known = new Map(); // when messages were acknowledged, by id
  #timer;

  constructor(id, { credit = 64, ack = 'auto', position, ...wanted }, link) {
    super(id, link);
    if (!(credit >= 1)) throw new RangeError('credit must be at least 1');
    if (ack !== 'auto' && ack !== 'manual') throw new RangeError("ack must be 'auto' or 'manual'");
    this.#wanted = wanted;
    this.#credit = credit;
    this.#position = position;
    this.#member = Boolean(wanted.group) && wanted.mode !== 'broadcast';
    this.#byHand = this.#member && ack === 'manual';
  }

  _opening() {
    this.#since = now();
    return {
      op: 'subscribe', ref: this.id, sub: this.id, ...this.#wanted, position: this.#position,
      ack: this.#member ? 'manual' : 'auto', credit: this.#credit - this.#held,
    };
  }

  _begin({ position }) {
    this.#place(position);
    super._begin();
  }

  _arrived({ sub, handle, position, ...fields }) {
    this.#held++;
    this.#place(position);
    const lease = { id: fields.messageId, handle, epoch: this.#epoch };
    this._come(new Message({ ...fields, position }, (good, delayMs) => this.#settle(lease, good, delayMs)));
  }

  #place(position) {
    if (!this.#member && position) this.#position = position;
  }

  _take() {
    for (let message; (message = super._take()); message.ack()) {
      const at = this.#known.get(message.messageId);
      if (at === undefined || at >= this.#since || now() - this.#since > RETURN_MS) {
        if (!this.#byHand) this.#inHand.push(message);
        return message;
      }
    }
  }

  /** Who asks for the next has done with those before. */
  _done() {
    for (const message of this.#inHand.splice(0)) message.ack();
  }

  #settle(lease, good, delayMs) {
    if (lease.settled) return;
    lease.settled = true;
    const open = this._live && lease.epoch === this.#epoch;
    if (this.#member && good) this.#remember(lease.id, open ? now() : this.#since - 1);
    if (this.#member && open && good) this.#acks.push(lease.handle);
    if (this.#member && open && !good) this._link._send({ op: 'nack', ref: SETTLING, sub: this.id, handle: lease.handle, delayMs });
    this.#held--;
    if (!this._live) return;
    this.#owed++;
    if (this.#owed * 2 >= this.#credit || !this._items.length) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #remember(id, at) {
    this.#known.delete(id);
    this.#known.set(id, at);
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value);
  }

  #flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#acks.length) this._link._send({ op: 'ack', ref: SETTLING, sub: this.id, handles: this.#acks.splice(0, 1024) });
    if (this.#owed) this._link._send({ op: 'credit', sub: this.id, n: this.#owed });
    this.#owed = 0;
  }

  _cut() {
    super._cut();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#epoch++;
    this.#owed = 0;
    this.#acks = [];
    if (!this.#member) return;
    this.#held -= this._items.length;
    this._items = [];
    for (const [id, at] of this.#known) if (at < now() - UNCERTAIN_MS) this.#known.delete(id);
  }

  _stop() {
    if (!this._live) return;
    this.#owed = 0;
    this.#flush();
    this._link._send({ op: 'unsubscribe', ref: 'end', sub: this.id });
    this._cut();
  }
}

class Message {
  #settle;

  constructor(fields, settle) {
    Object.assign(this, fields);
    this.#settle = settle;
  }

  /** The body as the JSON it is. */
  json() {
    return JSON.parse(this.body);
  }

  /** The body, whatever it is. */
  bytes() {
    if (this.bodyBase64 === undefined) return new TextEncoder().encode(this.body);
    return Uint8Array.from(atob(this.bodyBase64), (c) => c.charCodeAt(0));
  }

  /** Done with it: it does not come again. */
  ack() {
    this.#settle(true);
  }

  /** It shall come again, to whoever has room; usually soon. */
  nack(delayMs) {
    this.#settle(false, delayMs);
  }
}
