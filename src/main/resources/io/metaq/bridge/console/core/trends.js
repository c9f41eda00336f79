/** The last values of many figures, by name, for sparklines. */
export class Trends {
  #lines = new Map();

  constructor(length = 40) {
    this.length = length;
  }

  add(name, value) {
    const line = this.#lines.get(name) ?? [];
    this.#lines.set(name, [...line, value ?? null].slice(-this.length));
  }

  of(name) {
    return this.#lines.get(name) ?? [];
  }
}
