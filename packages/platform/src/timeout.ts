/** Returns the result of `work`, or undefined if it takes longer. The work goes on. */
export async function withTimeout<Result>(
  work: PromiseLike<Result>,
  timeoutMs: number,
): Promise<Result | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timeout = setTimeout(late.resolve, timeoutMs, undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timeout);
  }
}
