import type { Access, Institution } from "@purser/banking/ports";
import type { CountryCode, PlaidApi } from "plaid";
import type { z } from "zod";
import type { responseSchemas } from "./responses.ts";

type Operation = keyof typeof responseSchemas;

/** Makes one request and validates the response. Throws `PlaidError` for every failure. */
export type PlaidCall = <O extends Operation>(
  operation: O,
  request: Parameters<PlaidApi[O]>[0],
  signal?: AbortSignal,
) => Promise<z.infer<(typeof responseSchemas)[O]>>;

/** What all operations of the adapter need. */
export interface PlaidContext {
  call: PlaidCall;
  webhookUrl: string;
  clientName: string;
  language: string;
  daysRequested: number;
  countryCodes: CountryCode[];
  now(): Date;
  institution(id: string): Promise<Institution>;
  /** Returns the token of an item. Throws `BankError` if it was erased or belongs to another environment. */
  tokenOf(access: Access): string;
}
