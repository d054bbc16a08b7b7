import type { z } from "zod";
import type { AuthMethod } from "../endpoints.ts";

/** Refusals by status: each code with what it means, as a sentence. */
type OperationRefusals = Readonly<
  Partial<Record<400 | 403 | 404 | 409 | 422, Readonly<Record<string, string>>>>
>;

/** An operation of better-auth under /api/auth, as the OpenAPI document describes it. A test compares it with reality. */
export interface AuthOperation {
  method: AuthMethod;
  /** The path after /api/auth. */
  path: `/${string}`;
  summary: string;
  /** What the response holds, as a sentence. */
  returns: string;
  /** Set for an operation that needs no session. */
  public?: true;
  /** Set for an operation that only administrators may call. */
  administrator?: true;
  /** The body of a POST, the query of a GET. */
  input: z.ZodObject;
  output: z.ZodType;
  /** What only this operation refuses, beside what every one does. */
  refusals?: OperationRefusals;
  /** Opens a session, whose bearer token is the header `set-auth-token`. */
  opensSession?: true;
  /** A GET with an effect, for a link in a mail: its token works once. It redirects to `callbackURL` if there is one. */
  usesUpToken?: true;
}
