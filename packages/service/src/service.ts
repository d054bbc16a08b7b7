import { type Clock, type Logger, systemClock } from "@purser/core";
import {
  type Database,
  openDatabase,
  openDecisionDatabase,
  openLockDatabase,
  openReplicaDatabase,
  Replica,
} from "@purser/db";
import type { Banks } from "@purser/banking/ports";
import { bankReceivers, openBanks } from "@purser/banking";
import type { Issuers } from "@purser/cards/ports";
import { cardReceivers, openIssuers } from "@purser/cards";
import type { Payments } from "@purser/billing/ports";
import { billingReceivers, openPayments } from "@purser/billing";
import type { ServicePlatform } from "@purser/router";
import { type Auth, createAuth } from "@purser/identity";
import type { WebhookReceiver } from "@purser/platform/inbox";
import type { HandledJob } from "@purser/platform/jobs";
import { type Worker, startWorker } from "@purser/platform/jobs";
import { type RequestLimit, createRequestLimit } from "@purser/platform";
import type { MailPort } from "@purser/platform/mail";
import { type Meter, noopMeter } from "@purser/platform";
import { platformMetrics } from "@purser/platform";
import { DevelopmentMailbox } from "@purser/platform/mail";
import { mailToNowhere } from "@purser/platform/mail";
import { SmtpMail } from "@purser/platform/mail";
import { openOutbox } from "@purser/platform/outbox";
import type { Settings } from "@purser/platform/settings";
import { type Tracer, tracedJobs } from "@purser/platform";
import { openHooks } from "./hooks.ts";
import { createJobHandlers, registeredJobs } from "./jobs.ts";
import { bankLoaders, banksWithWebhooks, issuerLoaders, paymentLoaders } from "./providers.ts";
import type { ServiceSettings } from "./settings.ts";

/** Everything that lives as long as a process, made from its settings: what server and command line stand on. */
export interface Service {
  platform: ServicePlatform & { settings: ServiceSettings };
  auth: Auth;
  limits: RequestLimit;
  /** Where mails are kept that do not leave; null where they do, and in production. */
  mailbox: DevelopmentMailbox | null;
  receivers: readonly WebhookReceiver[];
  handlers: readonly HandledJob[];
  /** Runs jobs in this process until it is stopped. */
  startWorker(): Promise<Worker>;
  /** Closes the connections; a worker is to be stopped before. */
  close(): Promise<void>;
}

interface OpenOptions {
  logger: Logger;
  /** Counts what happens; by default nothing does. */
  meter?: Meter;
  clock?: Clock;
  /** Replaces the way out that the settings name. */
  mail?: MailPort;
  /** Receivers beside those of the providers that the settings name. */
  receivers?: readonly WebhookReceiver[];
  /** Replaces the providers that the settings name. */
  banks?: Banks;
  /** Replaces the issuers that the settings name. */
  issuers?: Issuers;
  /** Replaces the payment providers that the settings name. */
  payments?: Payments;
  /** Longest time of a statement, in milliseconds; 0 for no limit. Default 5,000. */
  statementTimeoutMs?: number;
  /** Follows statements and jobs; null where nobody looks at traces. */
  tracer?: Tracer | null;
  /** Aborted when the process is about to stop; by default never. */
  shutdownSignal?: AbortSignal;
}

/** Opens the platform on a database that `migrateDatabase` has brought up to date. */
export async function openService(settings: ServiceSettings, options: OpenOptions): Promise<Service> {
  const { logger, tracer, clock = systemClock, meter = noopMeter } = options;
  const { shutdownSignal = new AbortController().signal } = options;
  const db = openDatabase(settings, options.statementTimeoutMs, tracer);
  const decisionDb = openDecisionDatabase(settings, tracer);
  const lockDb = openLockDatabase(settings, tracer);
  const replica = openReplica(settings, db, { logger, meter, tracer });
  const close = async () =>
    void (await Promise.all([db.close(), decisionDb.close(), lockDb.close(), replica?.close()]));
  try {
    const outbox = await openOutbox(db, settings.encryptionKeys, registeredJobs);
    const parts = { db, clock, settings, outbox, ...openHooks({ clock, outbox }) };
    const {
      banks = openBanks(bankLoaders(parts)),
      issuers = openIssuers(issuerLoaders(parts)),
      payments = openPayments(paymentLoaders(parts)),
    } = options;
    const platform: Service["platform"] = {
      ...parts,
      decisionDb,
      logger,
      meter,
      banks,
      issuers,
      payments,
      lockDb,
      replica,
      shutdownSignal,
    };
    const receivers = [
      ...bankReceivers(platform, banksWithWebhooks),
      ...cardReceivers(platform),
      ...billingReceivers(platform),
      ...(options.receivers ?? []),
    ];
    const auth = createAuth(platform);
    const limits = createRequestLimit(platform);
    const keepsMail = options.mail === undefined && settings.smtpUrl === null && !settings.production;
    const mailbox = keepsMail ? new DevelopmentMailbox(settings.dataDir, clock) : null;
    const mail = options.mail ?? mailbox ?? mailPort(settings, logger);
    const tasks = [() => auth.purgeExpired(), () => limits.purge()];
    const plain = createJobHandlers(platform, { mail, receivers, tasks });
    const handlers = tracer ? tracedJobs(plain, tracer) : plain;
    return {
      platform,
      auth,
      limits,
      mailbox,
      receivers,
      handlers,
      startWorker: () => startWorker(platform, handlers),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openReplica(
  settings: Settings,
  primary: Database,
  { logger, meter, tracer }: { logger: Logger; meter: Meter; tracer: Tracer | null | undefined },
): Replica | null {
  const { replicaDatabaseUrl: url } = settings;
  if (url === null) return null;
  const open = (onClose: () => void) => openReplicaDatabase(settings, url, onClose, tracer);
  return new Replica({
    primary,
    open,
    logger,
    onRead(outcome) {
      if (outcome !== "replica") meter.count(platformMetrics.replicaFallbacks, { reason: outcome });
    },
  });
}

function mailPort({ smtpUrl, mailFrom }: Settings, logger: Logger): MailPort {
  return smtpUrl === null ? mailToNowhere(logger) : new SmtpMail(smtpUrl, mailFrom);
}
