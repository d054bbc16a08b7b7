import type { Clock, Logger } from "@purser/core";
import type { Database } from "@purser/db";
import type { Banks } from "./banking/index.ts";
import type { Payments } from "./billing/index.ts";
import type { Issuers } from "./cards/index.ts";
import type { Caller } from "./identity/caller.ts";
import type { Meter } from "./platform/meter.ts";
import type { Outbox } from "./platform/outbox.ts";
import type { Replica } from "./platform/replica.ts";
import type { Settings } from "./platform/settings.ts";

/** What lives as long as the process: every procedure is given it, and nothing else is reached from outside. */
export interface Platform {
  db: Database;
  /** A few connections of their own, for decisions that a card network waits for. */
  decisionDb: Database;
  clock: Clock;
  logger: Logger;
  meter: Meter;
  outbox: Outbox;
  settings: Settings;
  banks: Banks;
  issuers: Issuers;
  payments: Payments;
  /** A few connections of their own, for what holds a lock while it waits for somebody outside. */
  lockDb: Database;
  /** Where lists come from while it is up to date, or null where there is none. */
  replica: Replica | null;
  /** Aborted when the process is about to end: whoever only waits for others answers with what there is. */
  ending: AbortSignal;
}

/** What a door tells about one request. */
export interface RequestFacts {
  requestId: string;
  /** Who calls, or null for nobody. A credential that was presented and failed never comes this far. */
  caller: Caller | null;
  /** Whether the request came from an origin that may act with a browser's cookie. */
  fromTrustedOrigin: boolean;
  /** The Idempotency-Key of a mutation, or null. */
  idempotencyKey: string | null;
}

/** What a procedure tells its door beside its output. */
export interface ResponseFacts {
  /** The output is the one that this idempotency key got before. */
  replayed: boolean;
  /** There is more of this list: it goes on after the item with this id. */
  nextAfter: string | null;
}

export interface Context extends Platform, RequestFacts {
  response: ResponseFacts;
}

export function createContext(platform: Platform, request: RequestFacts): Context {
  return { ...platform, ...request, response: { replayed: false, nextAfter: null } };
}
