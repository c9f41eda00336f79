import { Problem } from '../core/problem.js';
import { subscribe } from '../core/live.js';

/**
 * Follows a topic with a reader of its own, and keeps the last messages. When they come faster than anybody reads, it counts those
 * it does not show. While it is paused it takes none, and the broker keeps them.
 */
export class Tail {
  static SHOWN_PER_SECOND = 40;
  static KEPT = 500;

  #changed;
  #run = null;
  #resume = null;
  #second = 0;
  #came = 0;

  constructor(changed) {
    this.#changed = changed;
    this.#forget();
  }

  #forget() {
    Object.assign(this, { rows: [], seen: 0, skipped: 0, forgotten: false, perSecond: 0, problem: null, open: false,
      paused: false });
  }

  start({ topic, filter, type }) {
    this.stop();
    this.#forget();
    this.topic = topic;
    this.#changed();
    if (topic) this.#follow(topic, filter ? { filter, filterType: type } : {});
  }

  async #follow(topic, options) {
    const run = { stopped: false };
    this.#run = run;
    this.ticking = setInterval(() => this.#tick(), 1000);
    try {
      run.subscription = subscribe(topic, { ...options, from: 'latest' });
      run.subscription.ready.then(() => {
        if (run.stopped) return;
        this.open = true;
        this.#changed();
      }, () => {});
      for await (const message of run.subscription) {
        while (this.paused && !run.stopped) await new Promise((resume) => { this.#resume = resume; });
        if (run.stopped) break;
        this.#take(message);
      }
    } catch (failure) {
      if (run.stopped) return;
      this.problem = Problem.from(failure);
      clearInterval(this.ticking);
      this.#changed();
    }
  }

  #take(message) {
    this.open = true;
    this.seen++;
    this.#came++;
    if (++this.#second > Tail.SHOWN_PER_SECOND) {
      this.skipped++;
      return;
    }
    this.rows = [{ number: this.seen, message }, ...this.rows];
    if (this.rows.length > Tail.KEPT) {
      this.rows.length = Tail.KEPT;
      this.forgotten = true;
    }
    this.#changed();
  }

  #tick() {
    this.perSecond = this.#came;
    this.#came = 0;
    this.#second = 0;
    this.#changed();
  }

  pause() {
    this.paused = !this.paused;
    if (!this.paused) this.#resume?.();
    this.#changed();
  }

  clear() {
    Object.assign(this, { rows: [], seen: 0, skipped: 0, forgotten: false });
    this.#changed();
  }

  stop() {
    if (!this.#run) return;
    this.#run.stopped = true;
    this.#run.subscription?.return();
    this.#resume?.();
    clearInterval(this.ticking);
    this.#run = null;
  }
}
