import { Problem } from "@purser/core";
import type { CardsPlatform } from "../context.ts";
import type { Platform } from "../../platform/context.ts";
import {
  type CardIssuer,
  IssuerError,
  type IssuerErrorKind,
  type IssuerName,
  type Issuers,
} from "../ports.ts";

type Parts = Pick<Platform, "db" | "clock" | "settings" | "outbox">;

/** The issuers that the settings name, each loaded when it is first asked for. The real ones are preferred. */
export function openIssuers(parts: Parts): Issuers {
  const loaders = loadersOf(parts);
  const loaded = new Map<IssuerName, Promise<CardIssuer>>();
  const configured = [...loaders.keys()];
  return {
    configured,
    get preferred() {
      const [first] = configured;
      if (first === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
      return first;
    },
    async at(name) {
      const load = loaders.get(name);
      if (load === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
      let issuer = loaded.get(name);
      if (issuer === undefined) loaded.set(name, (issuer = load()));
      return issuer;
    },
  };
}

function loadersOf({ settings, clock }: Parts): Map<IssuerName, () => Promise<CardIssuer>> {
  const { sandbox, stripeIssuing, lithic } = settings;
  const loaders = new Map<IssuerName, () => Promise<CardIssuer>>();
  if (stripeIssuing !== null)
    loaders.set("stripe", async () =>
      (await import("../issuers/stripe/stripe.ts")).stripeIssuer({
        ...stripeIssuing,
        ...issuesIn(stripeIssuing),
        clock,
      }),
    );
  if (lithic !== null)
    loaders.set("lithic", async () =>
      (await import("../issuers/lithic/lithic.ts")).lithicIssuer({ ...lithic, ...issuesIn(lithic), clock }),
    );
  if (sandbox)
    loaders.set("sandbox", async () =>
      (await import("../issuers/sandbox/sandbox.ts")).sandboxIssuer({ settings }),
    );
  return loaders;
}

/** Where none is named, the adapter knows best what its issuer issues in. */
const issuesIn = ({ currencies }: { currencies: readonly string[] }) => ({
  currencies: currencies.length > 0 ? currencies : undefined,
});

/** Asks an issuer something, and gives its refusals and failures their place in the catalogue. */
export async function askIssuer<Answer>(
  { issuers }: Pick<CardsPlatform, "issuers">,
  name: IssuerName,
  question: (issuer: CardIssuer) => Promise<Answer>,
): Promise<Answer> {
  const issuer = await issuers.at(name);
  try {
    return await question(issuer);
  } catch (error) {
    throw error instanceof IssuerError ? problems[error.kind](error) : error;
  }
}

const issuerFailed = (error: IssuerError) =>
  new Problem("PROVIDER_ERROR", {
    cause: error,
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  });

const problems: Record<IssuerErrorKind, (error: IssuerError) => Problem> = {
  outage: issuerFailed,
  rate_limited: issuerFailed,
  refused: (cause) => new Problem("NOT_SUPPORTED_BY_PROVIDER", { cause }),
  card_not_found: issuerFailed,
};
