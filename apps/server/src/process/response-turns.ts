import type { getRequestListener } from "@hono/node-server";

type Fetch = Parameters<typeof getRequestListener>[0];

/**
 * Returns a function whose responses are ready at the end of the event loop's turn, so that those of one turn are written in
 * a row. Waking the client for each write took a third of a small request's time (docs/decisions/0064).
 */
export function writtenTogether(fetch: Fetch): Fetch {
  const turns = new Turns();
  return async (request, env) => {
    turns.begin();
    const response = await fetch(request, env);
    await turns.end();
    return response;
  };
}

interface Turn extends PromiseWithResolvers<void> {
  begun: number;
}

/** How long a turn may take until what is ready is written. A client of large responses reads one while the next is made. */
const longestTurnMs = 2;

/** The turns of the event loop that have a request. */
class Turns {
  #turn: Turn | undefined;

  /** The turn that runs now. */
  begin(): Turn {
    if (this.#turn !== undefined) return this.#turn;
    const turn = { ...Promise.withResolvers<void>(), begun: performance.now() };
    setImmediate(() => this.#end(turn));
    return (this.#turn = turn);
  }

  /** Waits for the end of the turn that runs now. */
  async end(): Promise<void> {
    const turn = this.begin();
    if (performance.now() - turn.begun > longestTurnMs) this.#end(turn);
    await turn.promise;
  }

  #end(turn: Turn): void {
    if (this.#turn === turn) this.#turn = undefined;
    turn.resolve();
  }
}
