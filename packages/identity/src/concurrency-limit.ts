/** Runs at most `limit` functions at once. The others wait in order of arrival. */
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
      // Passes the slot to the next in line, so a new call cannot overtake it.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
