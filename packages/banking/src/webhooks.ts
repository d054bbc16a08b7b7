import { Problem } from "@purser/core";
import type { BankingPlatform } from "./context.ts";
import type { WebhookReceiver } from "@purser/platform/inbox";
import type { BankProvider, Banks, ProviderName } from "./ports.ts";
import { applyNotice } from "./notices.ts";

/** Loads each of these providers on its first use. */
export function openBanks(loaders: ReadonlyMap<ProviderName, () => Promise<BankProvider>>): Banks {
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

/** One receiver per configured provider whose adapter has `webhooks`. */
export function bankReceivers(
  platform: BankingPlatform,
  withWebhooks: ReadonlySet<ProviderName>,
): WebhookReceiver[] {
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
