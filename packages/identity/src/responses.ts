import { Problem, type ProblemCode, problemCatalog, problemDocument, problemHeaders } from "@purser/core";
import { z } from "zod";
import { authErrorCodes } from "./error-codes.ts";

const AuthError = z.object({ code: z.string().optional(), message: z.string().optional() });

/** The public part of an error of better-auth. */
export interface AuthRefusal {
  code: string;
  message: string;
  /** Whether the same request may succeed later, unchanged. Default: false. */
  retryable?: boolean;
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

const fallbackOf = (status: number) => fallbacks[status] ?? "VALIDATION_FAILED";

/** Reads the refusal from an error response of better-auth, and consumes the body. */
export async function readRefusal(response: Response): Promise<AuthRefusal> {
  const body: unknown = await response.json().catch(() => null);
  const { code, message } = AuthError.safeParse(body).data ?? {};
  return { code: code ?? fallbackOf(response.status), message: message ?? response.statusText };
}

/** Returns a problem document with better-auth's code, message and cookies. */
export function refusalResponse(
  { code, message, retryable = false }: AuthRefusal,
  response: Response,
  requestId: string,
): Response {
  const words = code.toLowerCase().replaceAll("_", " ");
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const { status } = response;
  const entry = code in authErrorCodes || code in problemCatalog ? code : fallbackOf(status);
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const required = problemHeaders(new Problem(fallbackOf(status)));
  for (const [name, value] of Object.entries(required)) headers.set(name, value);
  return json(
    {
      type: `/docs/problems#${entry}`,
      title,
      status,
      detail: message,
      code,
      message,
      requestId,
      retryable,
    },
    status,
    headers,
  );
}

/** Returns the response for a problem, with better-auth's `message` field. */
export function problemResponse(
  problem: Problem,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  const all = new Headers({ ...problemHeaders(problem), ...headers });
  return json({ ...problemDocument(problem, requestId), message: problem.message }, problem.status, all);
}

function json(body: object, status: number, headers: Headers): Response {
  headers.set("content-type", "application/problem+json");
  headers.set("cache-control", "no-store");
  return new Response(JSON.stringify(body), { status, headers });
}
