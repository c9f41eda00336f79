import { Problem } from './problem.js';
import { get } from './api.js';
import { connection, watch } from './live.js';

/** What a page has while it is open: its place, what it watches, and how it says that it has changed. */
export class Page {
  #changed;
  #ends = [];
  #moved = null;
  #leaving = new AbortController();

  /** @param names path of the place, @param query its parameters, @param changed asks for a new picture */
  constructor({ names, query }, changed) {
    this.names = names;
    this.query = query;
    this.#changed = changed;
  }

  update = () => {
    if (!this.left) this.#changed();
  };

  get left() {
    return this.#leaving.signal.aborted;
  }

  get signal() {
    return this.#leaving.signal;
  }

  onLeave(end) {
    this.#ends.push(end);
  }

  /** The page itself takes other parameters of its place: told is given them. */
  onMove(told) {
    this.#moved = told;
  }

  /** Whether this page goes on at the place. */
  moves({ names, query }) {
    if (!this.#moved || names.join('/') !== this.names.join('/')) return false;
    this.query = query;
    this.#moved(query);
    this.update();
    return true;
  }

  leave() {
    this.#leaving.abort();
    for (const end of this.#ends) end();
  }

  /** Does it when the view first comes, and again and again: views come only when something has changed, a line goes on. */
  every(ms, view, act) {
    view.first = act;
    const timer = setInterval(() => {
      if (connection.get() === 'live') act();
      this.update();
    }, ms);
    this.onLeave(() => clearInterval(timer));
  }

  /** A view of a path that stays new: {value, problem, stale}. */
  watch(path, everyMs) {
    const view = { value: undefined, problem: null, stale: false };
    this.onLeave(watch(path, everyMs, (next) => {
      if (next.problem) {
        view.problem = next.problem;
        view.stale = view.value !== undefined;
      } else {
        const first = view.value === undefined;
        Object.assign(view, { value: next.value, problem: null, stale: false });
        if (first) view.first?.();
      }
      this.update();
    }));
    return view;
  }

  /** Views of as many paths as are wanted just now: a function that is given them, and gives the views by path. */
  watchEach(everyMs) {
    const views = new Map();
    const ends = new Map();
    this.onLeave(() => ends.forEach((end) => end()));
    return (paths) => {
      for (const [path, end] of ends) {
        if (paths.includes(path)) continue;
        end();
        ends.delete(path);
      }
      for (const path of paths) {
        if (ends.has(path)) continue;
        ends.set(path, watch(path, everyMs, ({ value, problem }) => {
          if (problem && views.has(path)) return;
          views.set(path, value ?? null);
          this.update();
        }));
      }
      return views;
    };
  }

  /** A look at a path, once. */
  look(path) {
    const view = { value: undefined, problem: null, stale: false };
    get(path, this.signal).then((value) => { view.value = value; }, (failure) => {
      if (!this.left) view.problem = Problem.from(failure);
    }).then(this.update);
    return view;
  }
}
