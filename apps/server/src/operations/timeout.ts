const timeoutMs = 1000;

/** What was asked for if it comes within a second, else the other value; a failure counts as not coming. */
export async function withTimeout<Value>(asked: PromiseLike<Value>, otherwise: Value): Promise<Value> {
  const { promise: tooLate, resolve } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => resolve(otherwise), timeoutMs);
  const answer = Promise.resolve(asked).catch(() => otherwise);
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
