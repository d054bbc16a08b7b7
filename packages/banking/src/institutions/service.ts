import { Problem, errorText, invalidField } from "@purser/core";
import { type CallerContext, toPage } from "@purser/platform";
import type { z } from "zod";
import { callBank } from "../call-provider.ts";
import type { BankingPlatform } from "../context.ts";
import type { Institution, InstitutionSearch, ProviderName } from "../ports.ts";
import type { ListInstitutions } from "./contract.ts";

/** How many institutions the first search asks each provider for. Fewer would cost no provider less. */
const fewestRows = 500;

export async function listInstitutions(
  ctx: CallerContext & BankingPlatform,
  input: z.output<typeof ListInstitutions>,
) {
  const { provider, limit, after, query, country } = input;
  // Only the list shows where `after` is, so search for more until its page is found.
  for (let rows = Math.max(fewestRows, limit + 1); ; rows *= 2) {
    const search = { query, country, atLeast: rows };
    const { found, isComplete } = provider
      ? await searchProvider(ctx, provider, search)
      : await searchAllProviders(ctx, search);
    const position = after === undefined ? -1 : found.findIndex(({ id }) => id === after);
    const isPlaced = after === undefined || position >= 0;
    const page = found.slice(position + 1, position + 2 + limit);
    if (isPlaced && (isComplete || page.length > limit)) return toPage(ctx, limit, page);
    if (isComplete) {
      const message = "Must be the id of an item of this list";
      throw invalidField("after", message);
    }
  }
}

type Search = InstitutionSearch & { atLeast: number };

interface FoundInstitutions {
  found: (Institution & { provider: ProviderName })[];
  /** Whether there are no more. */
  isComplete: boolean;
}

async function searchProvider(
  ctx: BankingPlatform,
  provider: ProviderName,
  search: Search,
): Promise<FoundInstitutions> {
  const institutions = await callBank(ctx, provider, (bank) => bank.institutions(search));
  const found = institutions.slice(0, search.atLeast).map((institution) => ({ ...institution, provider }));
  return { found, isComplete: found.length < search.atLeast };
}

/** Returns the best match of each provider first, then the second best of each, and so on. */
async function searchAllProviders(ctx: BankingPlatform, search: Search): Promise<FoundInstitutions> {
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
  const longest = Math.max(...lists.map(({ found }) => found.length));
  const ranks = Array.from({ length: longest }, (_, rank) => lists.flatMap(({ found }) => found[rank] ?? []));
  return { found: ranks.flat(), isComplete: lists.every(({ isComplete }) => isComplete) };
}
