import { Problem, errorText, validationFailed } from "@purser/core";
import { type CallerContext, toPage } from "@purser/platform";
import type { z } from "zod";
import { callBank } from "../call-provider.ts";
import type { BankingPlatform } from "../context.ts";
import type { ProviderName } from "../ports.ts";
import type { ListInstitutions } from "./contract.ts";

export async function listInstitutions(
  ctx: CallerContext & BankingPlatform,
  input: z.output<typeof ListInstitutions>,
) {
  const { provider, limit, after } = input;
  const found = await (provider ? searchProvider(ctx, provider, input) : searchAllProviders(ctx, input));
  const position = after === undefined ? -1 : found.findIndex(({ id }) => id === after);
  if (after !== undefined && position === -1) {
    const message = "Must be the id of an item of this list";
    throw validationFailed([{ path: ["after"], code: "custom", message }]);
  }
  return toPage(ctx, limit, found.slice(position + 1, position + 2 + limit));
}

type Search = Pick<z.output<typeof ListInstitutions>, "query" | "country">;

async function searchProvider(ctx: BankingPlatform, provider: ProviderName, { query, country }: Search) {
  const found = await callBank(ctx, provider, (bank) => bank.institutions({ query, country }));
  return found.map((institution) => ({ ...institution, provider }));
}

/** Returns the best match of each provider first, then the second best of each, and so on. */
async function searchAllProviders(ctx: BankingPlatform, search: Search) {
  const { configured } = ctx.banks;
  if (configured.length === 0) throw new Problem("PROVIDER_NOT_CONFIGURED");
  const searches = await Promise.allSettled(configured.map((name) => searchProvider(ctx, name, search)));
  const failures = searches.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  const lists = searches.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  // An outage of one provider must not hide the banks of the others.
  if (lists.length === 0) throw failures[0];
  for (const error of failures) {
    ctx.logger.warn({ reason: errorText(error) }, "A provider was not searched");
  }
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? [])).flat();
}
