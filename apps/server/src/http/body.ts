import { Problem } from "@purser/core";
import type { BodyLease, BodyPurpose } from "./body-budget.ts";
import type { HttpContext } from "./context.ts";

const maximumBytes = 1024 * 1024;
const empty = new Uint8Array();

/**
 * Reads the body as bytes, empty without a body. Throws PAYLOAD_TOO_LARGE as soon as it exceeds 1 MiB, and UNAVAILABLE if
 * the bodies of other requests have used up the memory for its purpose.
 */
export async function readBytes({ req, env }: HttpContext, purpose: BodyPurpose): Promise<Uint8Array> {
  const { requestContext } = env;
  const declared = req.header("content-length");
  if (declared === "0") return empty;
  const lease = requestContext.bodies.open(purpose);
  requestContext.bodyLease = lease;
  if (declared === undefined) return readStream(req.raw.body, lease);
  if (Number(declared) > maximumBytes) throw new Problem("PAYLOAD_TOO_LARGE");
  lease.extendTo(Number(declared));
  return new Uint8Array(await req.raw.arrayBuffer());
}

/** Reads the body as JSON text, null without a body. Throws PAYLOAD_TOO_LARGE and UNSUPPORTED_MEDIA_TYPE. */
export async function readJsonText(c: HttpContext): Promise<string | null> {
  const bytes = await readBytes(c, "requests");
  if (bytes.length === 0) return null;
  if (!isJson(c.req.header("content-type") ?? "")) throw new Problem("UNSUPPORTED_MEDIA_TYPE");
  return decode(bytes);
}

/** Parses the result of {@link readJsonText}, undefined without a body. Throws MALFORMED_JSON. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("MALFORMED_JSON");
  }
}

/** Returns text that is not JSON for bytes that are not UTF-8, so that parsing fails later, in the order of checks. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "not UTF-8";
  }
}

function isJson(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  const charsets = parameters.map(
    (parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1] ?? "utf-8",
  );
  return (
    /^application\/(?:[\w.+-]+\+)?json$/.test(type.trim()) && charsets.every((charset) => charset === "utf-8")
  );
}

async function readStream(stream: ReadableStream<Uint8Array> | null, lease: BodyLease): Promise<Uint8Array> {
  if (stream === null) return empty;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > maximumBytes) throw new Problem("PAYLOAD_TOO_LARGE");
    lease.extendTo(length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
