const latest = new Map<string, Promise<unknown>>();

/**
 * Runs changes of one thing one after the other, also those of a dialog that was closed meanwhile. The client repeats a
 * change whose answer was lost, which must not come after the next one. A change that fails holds nothing back.
 */
export function serializeChange<Output>(id: string, change: () => Promise<Output>): Promise<Output> {
  const own = (latest.get(id) ?? Promise.resolve()).then(change);
  const end = own
    .catch(() => undefined)
    .finally(() => {
      if (latest.get(id) === end) latest.delete(id);
    });
  latest.set(id, end);
  return own;
}
