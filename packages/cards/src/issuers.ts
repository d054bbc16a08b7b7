import { Problem } from "@purser/core";
import { missingDetailsSentence } from "./cardholder/rules.ts";
import type { CardsPlatform } from "./context.ts";
import {
  type CardIssuer,
  IssuerError,
  type IssuerErrorKind,
  type IssuerName,
  type Issuers,
} from "./ports.ts";

/** Loads each issuer on its first use. */
export function openIssuers(loaders: ReadonlyMap<IssuerName, () => Promise<CardIssuer>>): Issuers {
  const loaded = new Map<IssuerName, Promise<CardIssuer>>();
  return {
    configured: [...loaders.keys()],
    async at(name) {
      const load = loaders.get(name);
      if (load === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
      let issuer = loaded.get(name);
      if (issuer === undefined) loaded.set(name, (issuer = load()));
      return issuer;
    },
  };
}

/**
 * The issuer of new cards in a currency: of the configured ones, the first that has cards in it. The sandbox issues cards
 * only if it is the only issuer. Throws PROVIDER_NOT_CONFIGURED, NOT_SUPPORTED_BY_PROVIDER.
 */
export async function issuerFor(
  { issuers }: Pick<CardsPlatform, "issuers">,
  currency: string,
): Promise<IssuerName> {
  if (issuers.configured.length === 0) throw new Problem("PROVIDER_NOT_CONFIGURED");
  const real = issuers.configured.filter((name) => name !== "sandbox");
  for (const name of real.length > 0 ? real : issuers.configured) {
    if ((await issuers.at(name)).supports(currency)) return name;
  }
  const detail = `No configured issuer has cards in ${currency}, the currency of the funding account.`;
  throw new Problem("NOT_SUPPORTED_BY_PROVIDER", { detail });
}

/** Calls an issuer and translates its errors to problems. */
export async function callIssuer<Answer>(
  { issuers }: Pick<CardsPlatform, "issuers">,
  name: IssuerName,
  operation: (issuer: CardIssuer) => Promise<Answer>,
): Promise<Answer> {
  const issuer = await issuers.at(name);
  try {
    return await operation(issuer);
  } catch (error) {
    throw error instanceof IssuerError ? problems[error.kind](error) : error;
  }
}

const issuerFailed = (error: IssuerError) =>
  new Problem("PROVIDER_ERROR", {
    cause: error,
    retryable: error.kind === "outage" || error.kind === "rate_limited",
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  });

const problems: Record<IssuerErrorKind, (error: IssuerError) => Problem> = {
  outage: issuerFailed,
  rate_limited: issuerFailed,
  details_required: (cause) =>
    new Problem("CARDHOLDER_DETAILS_REQUIRED", { cause, detail: missingDetailsSentence(cause.missing) }),
  refused: (cause) => new Problem("NOT_SUPPORTED_BY_PROVIDER", { cause }),
  card_not_found: issuerFailed,
};
