import type { Clock, Logger, organizationKeyAccesses } from "@purser/core";
import type { Database, NodePools, Replica } from "@purser/db";
import type { EventLog } from "./events/log.ts";
import type { ProviderLocks } from "./locks.ts";
import type { Meter } from "./metrics.ts";
import type { Outbox } from "./outbox/enqueue.ts";
import type { Settings } from "./settings/platform-settings.ts";

/** What lives as long as the process. Each area intersects its own part: `Platform & { banks: Banks }`. */
export interface Platform {
  db: Database;
  /** A few separate connections for decisions that a card network waits for. */
  decisionDb: Database;
  clock: Clock;
  logger: Logger;
  meter: Meter;
  outbox: Outbox;
  eventLog: EventLog;
  settings: Settings;
  /** Locks that are held during calls of payment providers. */
  locks: ProviderLocks;
  /** The separate connections of `locks`. */
  lockDb: Database;
  /** Locks that are held during calls of bank providers. */
  bankLocks: ProviderLocks;
  /** The separate connections of `bankLocks`. */
  bankLockDb: Database;
  /** Serves lists while it is up to date. Null without a replica. */
  replica: Replica | null;
  /** Reach the node that holds an organization. Null unless the database is distributed over the nodes of a cluster. */
  nodes: { requests: NodePools; decisions: NodePools } | null;
  /** Aborted when the process is about to stop: a request that only waits answers with what it has. */
  shutdownSignal: AbortSignal;
}

/** Who makes a request. Read from the database for each request. */
export type Caller = UserCaller | OrganizationKeyCaller;

/** A user with a credential of their own. */
export interface UserCaller {
  userId: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** Whether the user's role is `admin`. An administrator is not a member of any organization by that role. */
  isAdministrator: boolean;
  /** A browser sends a cookie with every request, so a mutation with a cookie also needs a trusted origin. */
  credential: "cookie" | "bearer" | "api-key";
}

/** An API key of an organization. It acts as a member of that organization, and belongs to no user. */
export interface OrganizationKeyCaller {
  keyId: string;
  name: string;
  organizationId: string;
  access: (typeof organizationKeyAccesses)[number];
  credential: "organization-key";
}

/** What a transport knows about one request. */
export interface RequestInfo {
  requestId: string;
  /** Null for an anonymous request. A credential that fails never gets this far. */
  caller: Caller | null;
  /** Whether the request comes from an origin that may act with a browser's cookie. */
  fromTrustedOrigin: boolean;
  /** The Idempotency-Key of a mutation, or null. */
  idempotencyKey: string | null;
  /** The network address of the caller. Absent in process. */
  address?: string | undefined;
  /** For a list that is read as CSV: its procedure writes a page to `response.csv`, and returns no items. */
  csv?: CsvPageRequest | undefined;
  /**
   * Returns a signal that aborts when the client has left. The first call creates it, because most requests need none.
   * Absent where a caller has no connection.
   */
  clientSignal?: (() => AbortSignal) | undefined;
  /** Lets a long response check the credential again. Absent for in-process calls, which are trusted. */
  credential?: PresentedCredential | undefined;
}

/** The credential of a request. */
export interface PresentedCredential {
  /** The same for all requests with this credential. It does not reveal the credential. */
  fingerprint(): string;
  /**
   * Returns the caller as the database has it now. Null for a cookie whose session has ended, because a browser sends cookies
   * unasked. Throws UNAUTHENTICATED for any other credential that fails.
   */
  resolve(): Promise<Caller | null>;
}

/** How a transport reads a list as CSV, page by page. */
export interface CsvPageRequest {
  /** The largest number of lines in a page. */
  readonly limit: number;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
  /**
   * Called once the caller's access is checked, for each page. Throws if the service writes too many files already, or if the
   * role is not that of the earlier pages.
   */
  admit(organizationId: string, role: string): void;
}

/** A page of a list as lines of CSV. */
export interface CsvLines {
  /** In UTF-8. */
  text: Buffer;
  /** The next page starts after the item with this id. Null after the last page. */
  nextAfter: string | null;
}

/** What a procedure returns to its transport in addition to its output. */
export interface ResponseMetadata {
  /** The output is the stored one of an earlier call with this idempotency key. */
  replayed: boolean;
  /** The list has more items; the next page starts after the item with this id. */
  nextAfter: string | null;
  /** The page as lines of CSV. Null if the request has no `csv`. */
  csv: Buffer | null;
}

/** Returns the metadata of a response before its procedure runs. */
export const emptyResponse = (): ResponseMetadata => ({ replayed: false, nextAfter: null, csv: null });

/** What one request adds to the platform. */
export interface RequestState extends RequestInfo {
  response: ResponseMetadata;
}

/** The context of a procedure that needs no credential. */
export type BaseContext = Platform & RequestState;

/** What a credential adds to the context. */
export interface SignedIn {
  procedure: string;
  caller: Caller;
}

/** The context of a procedure whose caller has a credential. */
export type CallerContext = BaseContext & SignedIn;

/** Creates the context of one request, for the procedures that it calls. */
export function createContext<P extends Platform>(platform: P, request: RequestInfo): P & RequestState {
  const { requestId, caller, fromTrustedOrigin, idempotencyKey, address, csv, clientSignal, credential } =
    request;
  // One by one, because the spread of a second object takes longer than that of the first.
  return {
    ...platform,
    requestId,
    caller,
    fromTrustedOrigin,
    idempotencyKey,
    address,
    csv,
    clientSignal,
    credential,
    response: emptyResponse(),
  } satisfies Record<keyof RequestState, unknown>;
}
