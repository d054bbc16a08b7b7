import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Executor,
  type Transaction,
  accounts,
  apiKeys,
  sessions,
  twoFactors,
  users,
  verifications,
} from "@purser/db";
import { type Platform, toProblem } from "@purser/platform";
import type { BetterAuthOptions, DBAdapter, DBAdapterInstance } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { refusalOfConflict } from "./conflicts.ts";

/** better-auth's access to the database. Our own statements join its transactions. */
export interface Storage {
  adapter: DBAdapterInstance;
  /** Returns the open transaction of this request, or the pool. */
  executor(): Executor;
  /** Runs `work` in the open transaction of this request, or in a new one. */
  transact<Output>(work: (transaction: Transaction) => Promise<Output>): Promise<Output>;
  /** Runs one request with these headers. Throws a noted failure even if better-auth swallowed it. */
  request<Output>(headers: Headers, work: () => Promise<Output>): Promise<Output>;
  /** Whether the running request presents an API key, which may delete nothing. */
  presentsKey(): boolean;
  /** Notes a failure, which then fails the request. better-auth turns some into "not signed in" and swallows others. */
  note(failure: unknown): void;
}

const schema = {
  user: users,
  session: sessions,
  account: accounts,
  verification: verifications,
  apikey: apiKeys,
  twoFactor: twoFactors,
};

interface Request {
  presentsKey: boolean;
  failure?: Error;
}

export function createStorage({ db }: Platform): Storage {
  const open = new AsyncLocalStorage<Transaction>();
  const current = new AsyncLocalStorage<Request>();

  const storage: Storage = {
    executor: () => open.getStore() ?? db,
    async transact(work) {
      const transaction = open.getStore();
      if (transaction !== undefined) return work(transaction);
      return db.transaction((opened) => open.run(opened, () => work(opened)));
    },
    presentsKey: () => current.getStore()?.presentsKey ?? false,
    async request(headers, work) {
      const request: Request = { presentsKey: headers.has("x-api-key") };
      const output = await current.run(request, work).catch((error: unknown) => {
        request.failure ??= asError(error);
      });
      if (request.failure !== undefined) throw request.failure;
      return output as Awaited<ReturnType<typeof work>>;
    },
    note(failure) {
      const request = current.getStore();
      if (request !== undefined) request.failure ??= asError(failure);
    },
    adapter(options) {
      const adapters = new WeakMap<Executor, DBAdapter>();
      const bound = () => {
        const executor = storage.executor();
        const adapter = adapters.get(executor) ?? adapterOn(executor, options);
        adapters.set(executor, adapter);
        return adapter;
      };
      return joinTransaction(bound, storage);
    },
  };
  return storage;
}

function adapterOn(executor: Executor, options: BetterAuthOptions): DBAdapter {
  return drizzleAdapter(executor, { provider: "pg", schema })(options);
}

/** The maximum number of sessions or keys in a list: more than a person has, and few enough for the memory. */
const maxListed = 1000;

const reads = new Set<string | symbol>(["findOne", "findMany", "count"]);

type Operation = (input: unknown) => Promise<unknown>;

/** Runs each operation on the request's open transaction, and notes failures that better-auth would swallow. */
function joinTransaction(bound: () => DBAdapter, storage: Storage): DBAdapter {
  const adapter: DBAdapter = new Proxy(bound(), {
    get(target, name) {
      if (name === "transaction") {
        return (work: (adapter: DBAdapter) => Promise<unknown>) => storage.transact(() => work(adapter));
      }
      if (typeof Reflect.get(target, name) !== "function") return Reflect.get(target, name) as unknown;
      return async (asked: unknown) => {
        if (isCleanup(name, asked, storage)) return 0;
        const operation = Reflect.get(bound(), name) as Operation;
        const input = name === "findMany" ? listed(asked as List) : asked;
        try {
          const output = await operation(input);
          if (name === "findOne" && output === null && asksForAccounts(input)) await findNoAccount(bound());
          return output;
        } catch (error) {
          const conflict = refusalOfConflict(error);
          if (conflict !== null) storage.note(conflict);
          // A failed write can be a refusal that better-auth reports. A failed read cannot.
          if (reads.has(name) || toProblem(error).code === "UNAVAILABLE") storage.note(error);
          throw error;
        }
      };
    },
  });
  return adapter;
}

/**
 * Whether an operation deletes API keys that have expired by the process's clock: all of them, or the one that a request
 * presents. A clock that is ahead would delete valid keys. `resolveCaller` refuses expired ones by the database's time.
 */
function isCleanup(operation: string | symbol, input: unknown, storage: Storage): boolean {
  if (typeof input !== "object" || input === null || Reflect.get(input, "model") !== "apikey") return false;
  return operation === "deleteMany" || (operation === "delete" && storage.presentsKey());
}

interface List {
  model: string;
  limit?: number;
  sortBy?: { field: string; direction: "asc" | "desc" };
}

/** Returns a list newest first and with more rows, unless it says otherwise. better-auth would take any 100 rows. */
function listed(list: List): List {
  const { model, limit, sortBy = { field: "id", direction: "desc" } } = list;
  return { ...list, sortBy, limit: limit ?? (model === "user" ? 100 : maxListed) };
}

/** Whether an operation reads a user with their accounts, which takes a second statement if there is a user. */
function asksForAccounts(input: unknown): boolean {
  return (
    typeof input === "object" &&
    input !== null &&
    "join" in input &&
    Boolean(Reflect.get(Object(input.join), "account"))
  );
}

/** Sends the statement that would have read the accounts, so the time does not reveal whether there is a user. */
async function findNoAccount(adapter: DBAdapter): Promise<void> {
  await adapter.findMany({ model: "account", where: [{ field: "userId", value: "" }], limit: 100 });
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("A value that is not an Error was thrown", { cause: thrown });
}
