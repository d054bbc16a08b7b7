/** Lets so many pieces of work run at once; the others wait, first come, first served. */
export function createConcurrencyLimit(
  limit: number,
): <Output>(work: () => Promise<Output>) => Promise<Output> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Who waited takes the place over, so that nobody who comes now can slip in between.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
