import { bankReceivers, bankingSweeps } from "@purser/banking";
import type { Banks } from "@purser/banking/ports";
import { billingReceivers } from "@purser/billing";
import type { Payments } from "@purser/billing/ports";
import { cardReceivers } from "@purser/cards";
import type { Issuers } from "@purser/cards/ports";
import type { Clock, Logger } from "@purser/core";
import { WebhookSender, createWebhookClient } from "@purser/events/sending";
import {
  type Database,
  type DatabaseLimits,
  type DatabaseMonitor,
  Notifications,
  Replica,
  openDatabase,
  openDatabaseMonitor,
  NodePools,
  ShardPlacements,
  isDistributedDatabase,
  openCoordinator,
  tracingTables,
  openDatabaseProbe,
  openDecisionDatabase,
  openBankLockDatabase,
  openLockDatabase,
  openReplicaDatabase,
} from "@purser/db";
import { EventStreams, PostgresEventListener, eventSweeps } from "@purser/events";
import { type Auth, createAuth } from "@purser/identity";
import {
  type Meter,
  type RequestLimit,
  type Tracer,
  createProviderLocks,
  createRequestLimit,
  noopMeter,
  platformMetrics,
  releaseLapsedKeys,
  sweepMs,
  tracedJobs,
} from "@purser/platform";
import { EventLog, eventChannel } from "@purser/platform/events";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { type HandledJob, type Worker, startWorker } from "@purser/platform/jobs";
import { DevelopmentMailbox, type MailPort, SmtpMail, discardMail } from "@purser/platform/mail";
import { openOutbox } from "@purser/platform/outbox";
import { openProviders } from "@purser/platform/providers";
import type { ServicePlatform } from "@purser/router";
import { openHooks } from "./hooks.ts";
import { createJobHandlers, registeredJobs } from "./jobs.ts";
import { bankLoaders, banksWithWebhooks, issuerLoaders, paymentLoaders } from "./providers.ts";
import type { ServiceSettings } from "./settings.ts";

/** One running service. The server, the command line and the test harness are built on it. */
export interface Service {
  platform: ServicePlatform & { settings: ServiceSettings };
  auth: Auth;
  limits: RequestLimit;
  /** Stores mails during development. Null in production, and wherever mails are sent. */
  mailbox: DevelopmentMailbox | null;
  receivers: readonly WebhookReceiver[];
  handlers: readonly HandledJob[];
  /** Sends events to webhook endpoints. The worker starts it. */
  webhooks: WebhookSender;
  /** Probes the database on a connection of its own. */
  monitor: DatabaseMonitor;
  /** Runs jobs in this process until the worker is stopped. */
  startWorker(): Promise<Worker>;
  /** Closes the database connections. Stop the worker first. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  logger: Logger;
  /** Default: counts nothing. */
  meter?: Meter | undefined;
  /** Default: the database's time, once its monitor is started. */
  clock?: Clock;
  /** Replaces the mail transport of the settings. */
  mail?: MailPort;
  /** Webhook receivers in addition to those of the configured providers. */
  receivers?: readonly WebhookReceiver[];
  /** Replaces the configured bank providers. */
  banks?: Banks | undefined;
  /** Replaces the configured issuers. */
  issuers?: Issuers | undefined;
  /** Replaces the configured payment providers. */
  payments?: Payments | undefined;
  /**
   * Replaces the time limits of the connections for requests and decisions. Connections that hold the lock of a provider keep
   * theirs for statements, and for the wait for a connection. Default: the limits of each pool.
   */
  databaseLimits?: DatabaseLimits;
  /** After how many milliseconds a decision on a purchase is late. Default: 1,200. */
  decisionTimeoutMs?: number;
  /** Traces statements and jobs. Default: no tracing. */
  tracer?: Tracer | null | undefined;
  /** Aborted when the process is about to stop. Default: never. */
  shutdownSignal?: AbortSignal;
}

/**
 * Opens the service on a database whose migrations are complete (`migrateDatabase`).
 *
 * @example
 * const service = await openService(readSettings(process.env), { logger });
 * const worker = await service.startWorker();
 * await worker.stop();
 * await service.close();
 */
export async function openService(settings: ServiceSettings, options: ServiceOptions): Promise<Service> {
  const { close: closeDatabases, monitor, ...databases } = await openDatabases(settings, options);
  const { clock = monitor.clock } = options;
  const { lostBefore } = monitor;
  const eventListener = new PostgresEventListener(
    (callbacks) => new Notifications(settings, { channel: eventChannel, lostBefore, ...callbacks }),
  );
  let endStreams = () => {};
  const close = async () => {
    endStreams();
    await Promise.all([eventListener.close(), closeDatabases()]);
  };
  try {
    const platform = await openPlatform(settings, { ...options, clock }, { ...databases, eventListener });
    endStreams = () => platform.eventStreams.drain();
    const auth = createAuth(platform);
    const limits = createRequestLimit(platform);
    const receivers = [...receiversOf(platform), ...(options.receivers ?? [])];
    const { mail, mailbox } = openMail(settings, { ...options, clock });
    const tasks = [() => auth.purgeExpired(), () => limits.purge()];
    const untraced = createJobHandlers(platform, { auth, mail, receivers, tasks });
    const client = createWebhookClient({ allowPrivate: settings.webhooksAllowPrivate });
    const webhooks = new WebhookSender(platform, { client });
    const handlers = options.tracer ? tracedJobs(untraced, options.tracer) : untraced;
    return {
      platform,
      auth,
      limits,
      mailbox,
      receivers,
      handlers,
      webhooks,
      monitor,
      startWorker: () => startWork({ platform, handlers, webhooks, monitor }),
      async close() {
        webhooks.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The webhook receivers of the configured providers. */
const receiversOf = (platform: Service["platform"]): WebhookReceiver[] => [
  ...bankReceivers(platform, banksWithWebhooks),
  ...cardReceivers(platform),
  ...billingReceivers(platform),
];

/** Runs jobs, and sends events to webhook endpoints. */
async function startWork({
  platform,
  handlers,
  webhooks,
  monitor,
}: Pick<Service, "platform" | "handlers" | "webhooks" | "monitor">): Promise<Worker> {
  const jobs = await startWorker(platform, handlers, {
    lostBefore: monitor.lostBefore,
    sweeps: [
      () => releaseLapsedKeys(platform),
      () => platform.outbox.relay({ leftForMs: sweepMs }),
      ...bankingSweeps(platform),
      ...eventSweeps(platform),
    ],
  });
  const sending = webhooks.start(platform.eventListener);
  return {
    stop: async (timeoutMs) => void (await Promise.all([jobs.stop(timeoutMs), sending.stop(timeoutMs)])),
  };
}

type ClockedOptions = ServiceOptions & Required<Pick<ServiceOptions, "clock">>;

/** By then requests and jobs have ended, or will not end in time. */
const closeTimeoutMs = 500;

type Databases = Pick<ServicePlatform, "db" | "decisionDb" | "lockDb" | "bankLockDb" | "replica" | "nodes">;
type Connections = Databases & Pick<ServicePlatform, "eventListener">;

/** The connection pools, and one function that closes them all. */
async function openDatabases(
  settings: ServiceSettings,
  options: ServiceOptions,
): Promise<Databases & Pick<Service, "close" | "monitor">> {
  const { logger, databaseLimits = {} } = options;
  const tracer = options.tracer && tracingTables(options.tracer);
  const { poolWaitMs: _wait, statementTimeoutMs: _statement, ...lockLimits } = databaseLimits;
  const monitor = openDatabaseMonitor(settings);
  const { lostBefore } = monitor;
  // PostgreSQL becomes another server by an upgrade, but not while a connection to it is open.
  const onClose = () => monitor.forgetServer(db);
  const ofNode = { tracer, onClose, ...databaseLimits };
  // What the monitor knows is true of the server that it probes.
  const ofDatabase = { ...ofNode, lostBefore };
  const ofLocks = { tracer, onClose, ...lockLimits, lostBefore };
  const pool = openDatabase(settings, ofDatabase);
  let db = pool;
  const lockDb = openLockDatabase(settings, ofLocks);
  const bankLockDb = openBankLockDatabase(settings, ofLocks);
  const replica = openReplica(settings, pool, options);
  const opened: ({ close(timeoutMs: number): Promise<void> } | null)[] = [
    pool,
    lockDb,
    bankLockDb,
    replica,
    monitor,
  ];
  const close = async () =>
    void (await Promise.all(opened.map(async (connections) => connections?.close(closeTimeoutMs))));
  try {
    const isDistributed = await isDistributedDatabase(pool);
    if (isDistributed) db = await openCoordinator(pool);
    const decisionDb = openDecisionDatabase(settings, { ...ofDatabase, isDistributed });
    opened.push(decisionDb);
    const databases = { db, decisionDb, lockDb, bankLockDb, replica, monitor, close };
    if (!isDistributed) return { ...databases, nodes: null };
    await Promise.all([decisionDb, lockDb].map(isDistributedDatabase));
    const sharedBy = [lockDb, bankLockDb];
    const nodes = openNodes(settings, { db, decisionDb, sharedBy, logger, options: ofNode });
    opened.push(nodes.requests, nodes.decisions);
    return { ...databases, nodes };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads of lists from the replica; null without one. */
function openReplica(
  settings: ServiceSettings,
  primary: Database,
  { logger, meter = noopMeter, tracer }: ServiceOptions,
): Replica | null {
  const { replicaDatabaseUrl: url } = settings;
  if (url === null) return null;
  return new Replica({
    primary,
    open: (onClose) => openReplicaDatabase(settings, url, { onClose, tracer }),
    logger,
    onRead(outcome) {
      if (outcome !== "replica") meter.count(platformMetrics.replicaFallbacks, { reason: outcome });
    },
  });
}

/** Pools on the nodes of a cluster, for the two uses that there is most of. */
function openNodes(
  settings: ServiceSettings,
  {
    db,
    decisionDb,
    sharedBy,
    logger,
    options,
  }: Pick<Databases, "db" | "decisionDb"> &
    Pick<ServiceOptions, "logger"> & {
      sharedBy: readonly Database[];
      options: Parameters<typeof openDatabase>[1];
    },
): NonNullable<Databases["nodes"]> {
  const placements = new ShardPlacements({ coordinator: db, logger });
  return {
    requests: new NodePools({
      placements,
      logger,
      coordinator: db,
      sharedBy,
      open: (node) => openDatabase(settings, { ...options, node }),
      openProbe: (node) => openDatabaseProbe(settings, node),
    }),
    decisions: new NodePools({
      placements,
      logger,
      coordinator: decisionDb,
      open: (node) => openDecisionDatabase(settings, { ...options, node }),
      openProbe: (node) => openDatabaseProbe(settings, node),
    }),
  };
}

/** The platform with the areas' hooks and the providers: what every use case receives. */
async function openPlatform(
  settings: ServiceSettings,
  options: ClockedOptions,
  databases: Connections,
): Promise<Service["platform"]> {
  const { logger, clock, meter = noopMeter } = options;
  const { shutdownSignal = new AbortController().signal, decisionTimeoutMs } = options;
  const { db, nodes } = databases;
  const outbox = await openOutbox({ db, nodes, logger, keys: settings.encryptionKeys }, registeredJobs);
  const locks = createProviderLocks(databases.lockDb);
  const bankLocks = createProviderLocks(databases.bankLockDb, { maxPerProvider: 3 });
  const eventLog = new EventLog({ db: databases.db, logger });
  // Asked for once now, not by the first change of each process.
  await eventLog.eras();
  const parts = { ...databases, clock, settings, outbox, locks, bankLocks, eventLog };
  const platform = {
    ...parts,
    banks: options.banks ?? openProviders(bankLoaders(parts)),
    issuers: options.issuers ?? openProviders(issuerLoaders(parts)),
    payments: options.payments ?? openProviders(paymentLoaders(parts)),
    eventStreams: new EventStreams({ ...parts, logger }),
    logger,
    meter,
    shutdownSignal,
    decisionTimeoutMs,
  };
  return { ...platform, ...openHooks(platform) };
}

/** SMTP if it is configured. Otherwise development stores mails, and production discards them with a warning. */
function openMail(
  settings: ServiceSettings,
  { mail, logger, clock }: ClockedOptions,
): { mail: MailPort; mailbox: DevelopmentMailbox | null } {
  const { smtpUrl, mailFrom, production, dataDir } = settings;
  if (mail !== undefined) return { mail, mailbox: null };
  if (smtpUrl !== null) return { mail: new SmtpMail(smtpUrl, mailFrom), mailbox: null };
  if (production) return { mail: discardMail(logger), mailbox: null };
  const mailbox = new DevelopmentMailbox(dataDir, clock);
  return { mail: mailbox, mailbox };
}
