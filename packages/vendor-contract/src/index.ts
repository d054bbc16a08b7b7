import { appendFileSync } from "node:fs";
import type { ErrorObject } from "ajv";
import { loadValidators, partName } from "./validators.ts";
import { checkLater } from "./violations.ts";
export type { VendorFact } from "./facts.ts";
export { outsideContract } from "./violations.ts";
export type { SnakeCased } from "./wire.ts";

/** A request that a fake received, and its response. */
export interface Exchange {
  /** Such as `POST /v1/cards`, without the query. */
  call: string;
  query?: object;
  /** The body: JSON, or the fields of a form. */
  request?: unknown;
  form?: object;
  status: number;
  response: unknown;
}

/** Checks what a fake and its adapter say to each other against the types of the vendor's SDK. */
export interface VendorContract<Type extends string> {
  /** Checks a request of the adapter, and the response if it is a success. A breach fails the running test. */
  exchange(exchange: Exchange): void;
  /** Checks a message that the fake sends, and returns it. */
  webhook<Message extends object>(type: Type, message: Message): Message;
}

/**
 * Opens the contract of the vendor with this folder in `packages/providers`. It checks in tests only, where `setup.ts`
 * turns it on.
 *
 * @example
 * export const acmeContract = vendorContract<keyof AcmeWebhooks>("acme");
 * acmeContract.exchange({ call: "POST /v1/cards", request, status: 200, response });
 */
export function vendorContract<Type extends string>(vendor: string): VendorContract<Type> {
  let opened: Checks | undefined;
  const breaches = (found: (checks: Checks) => string[]) =>
    found((opened ??= openChecks(vendor))).map((breach) => `${vendor}, ${breach}`);
  return {
    exchange: (said) =>
      checkLater(said, (exchange) => {
        record(vendor, "exchange", exchange);
        return breaches((checks) => checks.exchange(exchange));
      }),
    webhook: (type, message) => {
      checkLater(message, (said) => {
        record(vendor, "webhook", { type, message: said });
        return breaches((checks) => checks.webhook(type, said));
      });
      return message;
    },
  };
}

interface Checks {
  exchange(exchange: Exchange): string[];
  webhook(type: string, message: unknown): string[];
}

function openChecks(vendor: string): Checks {
  const { operations, validators } = loadValidators(vendor);
  const templates = operations.map((call) => ({ call, pattern: patternOf(call) }));

  /** Says how a value differs from its schema, if the contract has one. */
  const differences = (name: string, value: unknown): string[] => {
    const validate = validators[name];
    return value === undefined || validate === undefined || validate(value)
      ? []
      : describeErrors(validate.errors ?? []);
  };

  return {
    exchange: ({ call, status, ...parts }) => {
      const operation = templates.find(({ pattern }) => pattern.test(call))?.call;
      if (operation === undefined) return [`${call}: the contract has no such operation`];
      const isSuccess = status >= 200 && status < 300;
      if (isSuccess && parts.response === undefined && validators[partName(operation, "response")])
        return [`${operation}: response is missing`];
      return (["query", "request", "form", "response"] as const)
        .filter((part) => part !== "response" || isSuccess)
        .flatMap((part) =>
          differences(partName(operation, part), parts[part]).map(
            (difference) => `${operation}: ${part}${difference}`,
          ),
        );
    },
    webhook: (type, message) => {
      const name = partName("webhook", type);
      // Some fakes cast a type, so the compiler does not find what the contract lacks.
      if (validators[name] === undefined) return [`webhook ${type}: the contract has no such webhook`];
      return differences(name, message).map((difference) => `webhook ${type}: ${difference}`);
    },
  };
}

function patternOf(call: string): RegExp {
  return new RegExp(`^${call.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

function describeErrors(errors: readonly ErrorObject[]): string[] {
  const lines = errors.map(({ instancePath, message, params }) => {
    const { additionalProperty, allowedValues } = params as {
      additionalProperty?: string;
      allowedValues?: [];
    };
    const detail = additionalProperty ?? allowedValues?.slice(0, 8).join(", ");
    return `${instancePath} ${message}${detail === undefined ? "" : `: ${detail}`}`;
  });
  return [...new Set(lines)].slice(0, 20);
}

/** Appends to the file that `pnpm vendors:check` replays. */
function record(vendor: string, kind: string, message: object): void {
  const file = process.env["PURSER_VENDOR_TRAFFIC"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ vendor, kind, ...message })}\n`);
}
