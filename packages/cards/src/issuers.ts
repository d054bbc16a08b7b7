import { Problem, errorText } from "@purser/core";
import { providerFailure } from "@purser/platform/providers";
import { missingDetailsSentence } from "./cardholder/rules.ts";
import type { CardsPlatform } from "./context.ts";
import { type CardIssuer, IssuerError, type IssuerErrorKind, type IssuerName } from "./ports.ts";

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

/** Calls an issuer and translates its errors to problems, which do not say what the issuer said. The log does. */
export async function callIssuer<Result>(
  { issuers, logger }: Pick<CardsPlatform, "issuers" | "logger">,
  name: IssuerName,
  operation: (issuer: CardIssuer) => Promise<Result>,
): Promise<Result> {
  const issuer = await issuers.at(name);
  try {
    return await operation(issuer);
  } catch (error) {
    if (!IssuerError.is(error)) throw error;
    logger.warn(
      { issuer: name, kind: error.kind, reason: errorText(error) },
      "A call of a card issuer failed",
    );
    throw problems[error.kind](error);
  }
}

const problems: Record<IssuerErrorKind, (error: IssuerError) => Problem> = {
  outage: (cause) => providerFailure(cause, { retryable: true }),
  rate_limited: (cause) => providerFailure(cause, { retryable: true }),
  details_required: (cause) =>
    new Problem("CARDHOLDER_DETAILS_REQUIRED", { cause, detail: missingDetailsSentence(cause.missing) }),
  refused: (cause) =>
    new Problem("NOT_SUPPORTED_BY_PROVIDER", {
      cause,
      detail: "The card issuer refused the request. An operator finds its reason in the log of this service.",
    }),
  card_not_found: (cause) => providerFailure(cause, { retryable: false }),
};
