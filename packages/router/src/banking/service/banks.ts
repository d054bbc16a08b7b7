import { Problem } from "@purser/core";
import type { BankingPlatform } from "../context.ts";
import type { Platform } from "../../platform/context.ts";
import type { WebhookReceiver } from "../../platform/inbox.ts";
import type { BankProvider, Banks, ProviderName } from "../ports.ts";
import { applyNotice } from "./notices.ts";

type Parts = Pick<Platform, "db" | "clock" | "settings" | "outbox">;

/** The providers that the settings name, each loaded when it is first asked for. */
export function openBanks(parts: Parts): Banks {
  const loaders = loadersOf(parts);
  const loaded = new Map<ProviderName, Promise<BankProvider>>();
  return {
    configured: [...loaders.keys()],
    async at(provider) {
      const load = loaders.get(provider);
      if (load === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
      let bank = loaded.get(provider);
      if (bank === undefined) loaded.set(provider, (bank = load()));
      return bank;
    },
  };
}

function loadersOf(parts: Parts): Map<ProviderName, () => Promise<BankProvider>> {
  const { sandbox, plaid, yapily, baseUrl } = parts.settings;
  const { clock } = parts;
  const loaders = new Map<ProviderName, () => Promise<BankProvider>>();
  if (sandbox)
    loaders.set("sandbox", async () => (await import("../providers/sandbox/sandbox.ts")).sandboxBank(parts));
  if (plaid !== null) {
    const webhookUrl = `${baseUrl}/api/webhooks/banking/plaid`;
    loaders.set("plaid", async () =>
      (await import("../providers/plaid/plaid.ts")).plaidBank({ ...plaid, webhookUrl, clock }),
    );
  }
  if (yapily !== null)
    loaders.set("yapily", async () =>
      (await import("../providers/yapily/yapily.ts")).yapilyBank({ ...yapily, clock }),
    );
  return loaders;
}

/** The providers that tell of changes by webhook. */
const withWebhooks: ReadonlySet<ProviderName> = new Set<ProviderName>(["sandbox", "plaid"]);

export function bankReceivers(platform: BankingPlatform): WebhookReceiver[] {
  const { banks } = platform;
  return banks.configured
    .filter((provider) => withWebhooks.has(provider))
    .map((provider) => ({
      area: "banking",
      provider,
      async verify(body, headers, now) {
        const { webhooks } = await banks.at(provider);
        return webhooks?.verify(body, headers, now) ?? { outcome: "refused", reason: "malformed" };
      },
      async apply(event) {
        const { webhooks } = await banks.at(provider);
        const notice = webhooks?.read(event) ?? null;
        if (notice === null) return "IGNORED";
        return (await applyNotice(platform, provider, notice)) ? "APPLIED" : "IGNORED";
      },
    }));
}
