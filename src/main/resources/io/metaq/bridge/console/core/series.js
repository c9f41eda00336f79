const GAP_S = 5;

/** The last minutes of some figures, one row a moment; the oldest go. */
export class Series {
  #capacity;
  #figures;

  /** @param figures how many, @param capacity how many moments are kept */
  constructor(figures, capacity = 300) {
    this.#capacity = capacity;
    this.#figures = figures;
    this.columns = Array.from({ length: figures + 1 }, () => []);
  }

  /** Values of now, one for each figure; null is a gap, and so is a time in which nobody looked. */
  add(values, seconds = Date.now() / 1000) {
    const last = this.columns[0].at(-1);
    if (last !== undefined && seconds - last > GAP_S) this.#row(last + 1, Array(this.#figures).fill(null));
    this.#row(seconds, values);
    while (this.columns[0].length > this.#capacity) for (const column of this.columns) column.shift();
  }

  #row(seconds, values) {
    this.columns[0].push(seconds);
    for (let i = 0; i < this.#figures; i++) this.columns[i + 1].push(values[i] ?? null);
  }

  get last() {
    return this.columns.slice(1).map((figure) => figure.at(-1) ?? null);
  }
}
