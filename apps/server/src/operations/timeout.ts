const timeoutMs = 1000;

/** Resolves to the result, or to the fallback after a second or a failure. */
export async function withTimeout<Value>(result: PromiseLike<Value>, fallback: Value): Promise<Value> {
  const { promise: timedOut, resolve } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => resolve(fallback), timeoutMs);
  const settled = Promise.resolve(result).catch(() => fallback);
  return Promise.race([settled, timedOut]).finally(() => clearTimeout(timer));
}
