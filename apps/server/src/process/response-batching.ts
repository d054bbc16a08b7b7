import type { getRequestListener } from "@hono/node-server";

type Fetch = Parameters<typeof getRequestListener>[0];

/**
 * Returns a function whose responses are ready at the end of the event loop's turn, so that those of one turn are written in
 * a row. Waking the client for each write took a third of a small request's time (docs/decisions/0064).
 *
 * @param hold Returns what all responses wait for at present, if anything
 */
export function batchResponses(fetch: Fetch, hold: () => Promise<void> | undefined): Fetch {
  const batches = new EventLoopBatches();
  return async (request, env) => {
    batches.begin();
    const response = await fetch(request, env);
    await batches.end();
    const held = hold();
    if (held !== undefined) await held;
    return response;
  };
}

interface Batch extends PromiseWithResolvers<void> {
  begun: number;
}

/** After this time a batch is written before its turn ends. A client of large responses reads one while the next is made. */
const maxBatchMs = 2;

/** Batches of responses: one for each turn of the event loop that has a request. */
class EventLoopBatches {
  #batch: Batch | undefined;

  /** Returns the batch of the current turn. */
  begin(): Batch {
    if (this.#batch !== undefined) return this.#batch;
    const batch = { ...Promise.withResolvers<void>(), begun: performance.now() };
    setImmediate(() => this.#end(batch));
    return (this.#batch = batch);
  }

  /** Waits until the batch of the current turn is written. Not async, which would wait once more. */
  end(): Promise<void> {
    const batch = this.begin();
    if (performance.now() - batch.begun > maxBatchMs) this.#end(batch);
    return batch.promise;
  }

  #end(batch: Batch): void {
    if (this.#batch === batch) this.#batch = undefined;
    batch.resolve();
  }
}
