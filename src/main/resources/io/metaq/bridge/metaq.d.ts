/** Types of /metaq.js. Names and values of frames are docs/http.md's. */

export interface MessageFields {
  tag?: string;
  keys?: string[];
  properties?: Record<string, string>;
  /** Messages of a key go to one queue. */
  orderKey?: string;
  delayMs?: number;
  /** ISO-8601. */
  deliverAt?: string;
  /** Of your own, in place of a random one: a message is stored once under it in a day. */
  idempotencyKey?: string;
}

/** Exactly one body. */
export type SendObject = MessageFields & ({ body: string } | { bodyBase64: string } | { json: unknown });

/** Digits in a string above 2^53. */
export type Offset = number | string;

export interface Receipt {
  messageId: string;
  offsetId: string;
  topic: string;
  broker: string;
  queueId: number;
  queueOffset: Offset;
  status: 'SEND_OK' | 'FLUSH_DISK_TIMEOUT' | 'FLUSH_SLAVE_TIMEOUT' | 'SLAVE_NOT_AVAILABLE';
}

export interface Message {
  readonly messageId: string;
  readonly offsetId: string;
  readonly topic: string;
  readonly broker: string;
  readonly queueId: number;
  readonly queueOffset: Offset;
  readonly tag: string | null;
  readonly keys: string[];
  readonly properties: Record<string, string>;
  readonly bornAt: string;
  readonly storedAt: string;
  readonly bornHost: string;
  /** Counts deliveries, this one included. */
  readonly attempt: number;
  /** Where a reader without a group is behind it, to go on there another time. */
  readonly position: string;
  /** The body, when it is UTF-8. */
  readonly body?: string;
  /** The body, when it is not. */
  readonly bodyBase64?: string;
  json(): any;
  bytes(): Uint8Array;
  /** Done with it: it does not come again to the group. Without a group it only makes room. */
  ack(): void;
  /** It comes again, to whoever of the group has room. */
  nack(delayMs?: number): void;
}

export interface SubscribeOptions {
  /** Share the topic's messages with all others of the group. Without it, a reader of its own that stores nothing. */
  group?: string;
  /** Tags joined by ||, or an SQL92 expression. */
  filter?: string;
  filterType?: 'tag' | 'sql';
  /** Where a reader, and a group without progress, begins. */
  from?: 'earliest' | 'latest' | (string & {});
  mode?: 'group' | 'broadcast';
  /** Of a message: a reader without a group begins behind it. */
  position?: string;
  /** auto: a message is acknowledged when the next one is asked for. manual: by its ack(). */
  ack?: 'auto' | 'manual';
  /** Most messages that are here and not done with; 64. */
  credit?: number;
  /** Ends it; the iterator throws the signal's reason. */
  signal?: AbortSignal;
}

export interface View<T = any> {
  path: string;
  /** Of HTTP; the value of an error is a problem document. */
  status: number;
  at: string;
  value: T;
}

/** What comes until it is ended: by the end of `for await`, by return(), by the signal, by close(). */
export interface Flow<T> extends AsyncIterableIterator<T> {
  /** Fulfilled when the server has begun, however often that is tried while nobody can serve it; rejected when it does not. */
  readonly ready: Promise<void>;
  next(): Promise<IteratorResult<T, undefined>>;
  return(value?: any): Promise<IteratorResult<T, undefined>>;
  [Symbol.asyncIterator](): Flow<T>;
}

export interface ConnectionEvents {
  open: CustomEvent<null>;
  /** retryMs: when it tries again; null when the page has closed it. */
  close: CustomEvent<{ code: number; reason: string; retryMs: number | null }>;
  /** What nobody waits for: an acknowledgement that came too late, a subscription or watch that is tried again, a frame that is none. */
  error: CustomEvent<MetaqError>;
}

export interface Connection extends EventTarget {
  readonly state: 'connecting' | 'open' | 'waiting' | 'closed';
  /** Gives a function that takes the listener off. */
  on<K extends keyof ConnectionEvents>(type: K, listener: (event: ConnectionEvents[K]) => void): () => void;
  publish(topic: string, message: string | Uint8Array | SendObject, options?: { signal?: AbortSignal }): Promise<Receipt>;
  subscribe(topic: string, options?: SubscribeOptions): Flow<Message>;
  watch<T = any>(path: string, options?: { everyMs?: number; signal?: AbortSignal }): Flow<View<T>>;
  close(): void;
}

export class MetaqError extends Error {
  constructor(code: string, message: string);
  /** UNKNOWN_TOPIC and the like, see docs/http.md; CLOSED; MALFORMED_FRAME. */
  readonly code: string;
}

export function connect(url?: string | URL, options?: { signal?: AbortSignal }): Connection;
