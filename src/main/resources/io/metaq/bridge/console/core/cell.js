/** A value that tells when it changes. */
export function cell(value) {
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const watcher of [...watchers]) watcher(value);
    },
    /** Returns what ends it. */
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
