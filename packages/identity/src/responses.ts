import { type Problem, type ProblemCode, problemDocument } from "@purser/core";
import { z } from "zod";

const AuthError = z.object({ code: z.string().optional(), message: z.string().optional() });

/** The public part of an error of better-auth. */
export interface AuthRefusal {
  code: string;
  message: string;
}

/** Refuses a request with one of better-auth's codes. */
export class AuthRefused extends Error {
  override readonly name = "AuthRefused";
  readonly refusal: AuthRefusal;
  readonly status: number;

  constructor(refusal: AuthRefusal, status: number) {
    super(refusal.message);
    this.refusal = refusal;
    this.status = status;
  }
}

const fallbacks: Record<number, ProblemCode> = {
  400: "VALIDATION_FAILED",
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "RATE_LIMITED",
};

/** Reads the refusal from an error response of better-auth, and consumes the body. */
export async function readRefusal(response: Response): Promise<AuthRefusal> {
  const body: unknown = await response.json().catch(() => null);
  const { code, message } = AuthError.safeParse(body).data ?? {};
  const fallback = fallbacks[response.status] ?? "VALIDATION_FAILED";
  return { code: code ?? fallback, message: message ?? response.statusText };
}

/** Returns a problem document with better-auth's code, message and cookies. */
export function refusalResponse(
  { code, message }: AuthRefusal,
  response: Response,
  requestId: string,
): Response {
  const words = code.toLowerCase().replaceAll("_", " ");
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return json(
    { type: `/docs/problems#${code}`, title, status, detail: message, code, message, requestId },
    status,
    headers,
  );
}

/** Returns the response for a problem, with better-auth's `message` field. */
export function problemResponse(problem: Problem, requestId: string, headers = new Headers()): Response {
  if (problem.retryAfterSeconds !== undefined) headers.set("retry-after", String(problem.retryAfterSeconds));
  return json({ ...problemDocument(problem, requestId), message: problem.message }, problem.status, headers);
}

function json(body: object, status: number, headers: Headers): Response {
  headers.set("content-type", "application/problem+json");
  headers.set("cache-control", "no-store");
  return new Response(JSON.stringify(body), { status, headers });
}
