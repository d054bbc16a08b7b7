import { type CallReply, readEnvelope } from "./envelope.ts";
import type { HttpReply, HttpRequest } from "./request.ts";

/** The most calls that the server accepts in one request. */
const maxBatch = 10;

/** How long a retry waits for others that are due at the same time. Their timers may end in a later tick. */
const dueTogetherMs = 5;

interface BatchedQuery {
  /** The address of the procedures. */
  url: string;
  path: string;
  /** The address of this query alone. */
  address: string;
  /** JSON of the input. Undefined without an input. */
  json: string | undefined;
  /** The headers of the client for this call. */
  clientHeaders: Headers;
  signal: AbortSignal;
  /** How many attempts of this query have failed. */
  failures?: number | undefined;
}

interface Waiting extends BatchedQuery {
  resolve: (reply: CallReply) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates the function that sends a query together with the others of the same tick that have the same headers: a `token`
 * function of a server may return another person's token for each of them.
 */
export function createQueryBatch(
  maxUrlLength: number,
  send: (request: HttpRequest) => Promise<HttpReply>,
): (query: BatchedQuery) => Promise<CallReply> {
  let waiting: Waiting[] = [];

  function flush(): void {
    const queries = waiting.filter(({ signal }) => !signal.aborted);
    waiting = [];
    for (const alike of withSameHeaders(queries)) {
      while (alike.length > 0) {
        let count = Math.min(maxBatch, alike.length);
        while (count > 1 && addressOf(alike.slice(0, count)).length > maxUrlLength) count -= 1;
        void sendTogether(alike.splice(0, count));
      }
    }
  }

  function addressOf(queries: BatchedQuery[]): string {
    const { url, address } = queries[0]!;
    if (queries.length === 1) return address;
    const paths = queries.map(({ path }) => path).join(",");
    const inputs = queries.flatMap(({ json }, index) => (json ? `"${index}":${json}` : []));
    return `${url}/${paths}?batch=1&input=${encodeURIComponent(`{${inputs.join(",")}}`)}`;
  }

  async function sendTogether(queries: Waiting[]): Promise<void> {
    try {
      const { body, ...response } = await send({
        method: "GET",
        url: addressOf(queries),
        clientHeaders: queries[0]!.clientHeaders,
        signal: abortedWithAll(queries.map(({ signal }) => signal)),
      });
      queries.forEach(({ resolve, reject }, index) => {
        try {
          // A batch that is refused as a whole has a single envelope.
          resolve(readEnvelope(queries.length > 1 && Array.isArray(body) ? body[index] : body, response));
        } catch (error) {
          reject(error);
        }
      });
    } catch (error) {
      for (const { reject } of queries) reject(error);
    }
  }

  return (query) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(flush, query.failures && dueTogetherMs);
      waiting.push({ ...query, resolve, reject });
    });
}

function withSameHeaders(queries: Waiting[]): Waiting[][] {
  const groups: Record<string, Waiting[]> = {};
  // Headers list their names in order.
  for (const query of queries) (groups[JSON.stringify([...query.clientHeaders])] ??= []).push(query);
  return Object.values(groups);
}

/** A request is aborted when all of its calls are. */
function abortedWithAll(signals: AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  let left = signals.length;
  for (const signal of signals) {
    const abort = () => {
      left -= 1;
      if (left === 0) controller.abort(signal.reason);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  }
  return controller.signal;
}
