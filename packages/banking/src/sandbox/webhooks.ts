import { newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { readSandboxEvent, sandboxSecret, verifySandboxEvent } from "@purser/platform/inbox";
import { platformJobs } from "@purser/platform/jobs";
import type { Settings } from "@purser/platform/settings";
import type { BankEvent, BankWebhooks } from "../ports.ts";

/** The kind of each of the sandbox's event types. */
const eventKinds = {
  "transactions.changed": "transactions_changed",
  "consent.revoked": "consent_revoked",
  "consent.reauthorization_required": "reauthorization_required",
  "consent.changed": "consent_changed",
} as const satisfies Record<string, BankEvent["kind"]>;

export type SandboxBankEventType = keyof typeof eventKinds;

/** The receiver for the sandbox's events. Verifies and parses them like those of any other provider. */
export function sandboxWebhooks(settings: Pick<Settings, "authSecret">): BankWebhooks {
  const secret = sandboxSecret(settings, "banking");
  return {
    verify: (body, headers, now) => verifySandboxEvent(secret, body, headers, now),
    read({ type, body }) {
      const { consentId, organizationId } = readSandboxEvent(body)?.data ?? {};
      if (
        !Object.hasOwn(eventKinds, type) ||
        typeof consentId !== "string" ||
        typeof organizationId !== "string"
      )
        return null;
      return { consentId, organizationId, kind: eventKinds[type as SandboxBankEventType] };
    },
  };
}

/** Sends an event about a consent once the transaction commits. */
export async function enqueueSandboxEvent(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  type: SandboxBankEventType,
  { organizationId, consentId }: { organizationId: string; consentId: string },
): Promise<void> {
  const event = { id: newId("evt", clock.now()), type, data: { organizationId, consentId } };
  await outbox.enqueue(transaction, platformJobs.deliverSandboxEvent, { area: "banking", event });
}
