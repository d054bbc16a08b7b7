import { validationFailed } from "@purser/core";
import { type UserContext, toPage } from "@purser/platform";
import type { z } from "zod";
import { callBank } from "../call-provider.ts";
import type { BankingPlatform } from "../context.ts";
import type { ListInstitutions } from "./contract.ts";

export async function listInstitutions(
  ctx: UserContext & BankingPlatform,
  input: z.output<typeof ListInstitutions>,
) {
  const { provider, query, country, limit, after } = input;
  const found = await callBank(ctx, provider, (bank) => bank.institutions({ query, country }));
  const position = after === undefined ? -1 : found.findIndex(({ id }) => id === after);
  if (after !== undefined && position === -1) {
    const message = "Must be the id of an item of this list";
    throw validationFailed([{ path: ["after"], code: "custom", message }]);
  }
  const rest = found.slice(position + 1, position + 2 + limit);
  return toPage(ctx, limit, rest).map((institution) => ({ ...institution, provider }));
}
