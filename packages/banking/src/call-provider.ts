import { Problem, invalidField } from "@purser/core";
import { providerFailure } from "@purser/platform/providers";
import type { BankingPlatform } from "./context.ts";
import { BankError, type BankErrorKind, type BankProvider, type ProviderName } from "./ports.ts";

/** Calls a provider, and translates the errors that it throws into problems. */
export async function callBank<Result>(
  { banks }: Pick<BankingPlatform, "banks">,
  provider: ProviderName,
  operation: (bank: BankProvider) => Promise<Result>,
): Promise<Result> {
  const bank = await banks.at(provider);
  try {
    return await operation(bank);
  } catch (error) {
    throw bankProblem(error);
  }
}

/** Returns the adapter of a provider, or null where it is no longer configured. */
export async function findBank(
  { banks }: Pick<BankingPlatform, "banks">,
  provider: ProviderName,
): Promise<BankProvider | null> {
  return banks.configured.includes(provider) ? banks.at(provider) : null;
}

/** The problem that a caller sees for a provider's error. */
export function bankProblem(error: unknown): unknown {
  return BankError.is(error) ? problems[error.kind](error) : error;
}

/** The kind of the provider's error that a problem is about. */
export function bankErrorKind(problem: unknown): BankErrorKind | undefined {
  return problem instanceof Problem && BankError.is(problem.cause) ? problem.cause.kind : undefined;
}

const problems: Record<BankErrorKind, (error: BankError) => Problem> = {
  outage: (cause) => providerFailure(cause, { retryable: true }),
  rate_limited: (cause) => providerFailure(cause, { retryable: true }),
  mutated: (cause) => providerFailure(cause, { retryable: true }),
  history_unavailable: (cause) => providerFailure(cause, { retryable: false }),
  account_refused: (cause) => providerFailure(cause, { retryable: false }),
  cursor_lost: (cause) => providerFailure(cause, { retryable: false }),
  not_ready: (cause) =>
    new Problem("UNAVAILABLE", {
      detail: "The bank is still preparing the history. Try again later; the service retries automatically.",
      retryAfterSeconds: 30,
      cause,
    }),
  reauthorization_required: (cause) => new Problem("REAUTHORIZATION_REQUIRED", { cause }),
  consent_not_found: (cause) => new Problem("CONSENT_NOT_FOUND", { cause }),
  authorization_pending: (cause) => new Problem("CONSENT_NOT_FOUND", { cause }),
  authorization_failed: (cause) => new Problem("CONSENT_NOT_FOUND", { cause }),
  institution_not_found: (cause) => new Problem("INSTITUTION_NOT_FOUND", { cause }),
  not_supported: (cause) => new Problem("NOT_SUPPORTED_BY_PROVIDER", { cause }),
  invalid_consent_id: () => invalidField("consentId", "Must be a consent id of this provider"),
};
