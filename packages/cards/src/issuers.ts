import { Problem } from "@purser/core";
import type { CardsPlatform } from "./context.ts";
import {
  type CardIssuer,
  IssuerError,
  type IssuerErrorKind,
  type IssuerName,
  type Issuers,
} from "./ports.ts";

/** Loads each issuer on its first use. The first one issues new cards. */
export function openIssuers(loaders: ReadonlyMap<IssuerName, () => Promise<CardIssuer>>): Issuers {
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
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  });

const problems: Record<IssuerErrorKind, (error: IssuerError) => Problem> = {
  outage: issuerFailed,
  rate_limited: issuerFailed,
  refused: (cause) => new Problem("NOT_SUPPORTED_BY_PROVIDER", { cause }),
  card_not_found: issuerFailed,
};
