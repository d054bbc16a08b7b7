import { Readable } from "node:stream";
import { Problem, assertJson } from "@purser/core";
import { clientLeft } from "@purser/platform";
import { type BodyLease, type BodyPurpose, freeBodyBytes } from "./body-budget.ts";
import type { HttpContext } from "./context.ts";

const maxBytes = 1024 * 1024;

/**
 * Reads the body as bytes, empty without a body. Throws PAYLOAD_TOO_LARGE as soon as it exceeds 1 MiB, UNAVAILABLE if the
 * bodies of other requests have used up the memory for its purpose, and VALIDATION_FAILED if the client leaves.
 */
export async function readBytes(c: HttpContext, purpose: BodyPurpose): Promise<Uint8Array> {
  const { requestContext } = c.env;
  const declared = c.req.header("content-length");
  if (declared === "0") return new Uint8Array();
  const lease = requestContext.bodies.open(purpose);
  requestContext.bodyLease = lease;
  if (Number(declared ?? 0) > maxBytes) throw new Problem("PAYLOAD_TOO_LARGE");
  try {
    return await readChunks(chunksOf(c), Number(declared ?? 0), lease);
  } catch (error) {
    throw error instanceof Problem ? error : clientLeft(error);
  }
}

/** Reads the body as JSON text, null without a body. Throws PAYLOAD_TOO_LARGE and UNSUPPORTED_MEDIA_TYPE. */
export async function readJsonText(c: HttpContext): Promise<string | null> {
  const bytes = await readBytes(c, "requests");
  if (bytes.length === 0) return null;
  assertJson(c.req.raw.headers);
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

/**
 * Node's stream is cheaper than a web stream. The rest of a refused body stays unread, so the response can still be sent.
 */
const chunksOf = ({ req, env }: HttpContext): AsyncIterable<Uint8Array> =>
  env.incoming?.iterator({ destroyOnReturn: false }) ?? req.raw.body ?? Readable.from([]);

/**
 * Copies each chunk at once. A client may send chunks of one byte, which take a hundred times their size while they live. Memory
 * grows with what arrives: a client that only announces a body takes none from others.
 */
async function readChunks(
  chunks: AsyncIterable<Uint8Array>,
  declaredBytes: number,
  lease: BodyLease,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(Math.min(declaredBytes, freeBodyBytes));
  let length = 0;
  for await (const chunk of chunks) {
    const end = length + chunk.byteLength;
    if (end > maxBytes) throw new Problem("PAYLOAD_TOO_LARGE");
    if (end > bytes.length) {
      const doubled = Math.max(2 * bytes.length, freeBodyBytes);
      const larger = Math.max(end, Math.min(doubled, declaredBytes || maxBytes));
      lease.extendTo(larger);
      const grown = new Uint8Array(larger);
      grown.set(bytes.subarray(0, length));
      bytes = grown;
    }
    bytes.set(chunk, length);
    length = end;
  }
  return bytes.subarray(0, length);
}
