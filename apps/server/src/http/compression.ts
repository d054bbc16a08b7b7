import type { Transform } from "node:stream";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { readWeights } from "./accept.ts";
import type { HttpContext } from "./context.ts";
import { respond } from "./response.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** They cost about as much as encoding the JSON does. */
const levels = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 1 } },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
  gzip: { level: 4 },
};

/**
 * The best first, if a client accepts several alike. They run on the main thread: the thread pool hashes passwords, and an
 * answer would wait behind those.
 */
const encoders = {
  zstd: (text: string): Bytes => zstdCompressSync(text, levels.zstd),
  br: (text: string): Bytes => brotliCompressSync(text, levels.br),
  gzip: (text: string): Bytes => gzipSync(text, levels.gzip),
};

/** For pages, which are long and seldom read: a sixth smaller, in a few milliseconds. */
const pageEncoders = {
  br: (text: string): Bytes => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string): Bytes => gzipSync(text, { level: 6 }),
};

export type Encoding = keyof typeof encoders;
const encodings = Object.keys(encoders) as Encoding[];

/** Compresses a stream, at the levels of a text. It runs in the thread pool, which a long stream shares with others. */
export const compressor = (encoding: Encoding): Transform =>
  ({
    zstd: () => createZstdCompress(levels.zstd),
    br: () => createBrotliCompress(levels.br),
    gzip: () => createGzip(levels.gzip),
  })[encoding]();

/** Smaller bodies fit into one packet anyway. */
const minimumCharacters = 1000;

/**
 * A text that never changes. It is encoded once, for all responses: as it is long and anyone may ask for it, clients would
 * otherwise keep the process busy with that.
 */
export class FixedText {
  readonly text: string;
  readonly #encoded = new Map<Encoding | null, Bytes>();

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the bytes in this encoding, by the function if they are not there yet. */
  in(encoding: Encoding | null, encode: (text: string) => Bytes): Bytes {
    const bytes = this.#encoded.get(encoding) ?? encode(this.text);
    this.#encoded.set(encoding, bytes);
    return bytes;
  }
}

/**
 * Responds like {@link respond}, compressed if the client accepts it. Answers 304 if the client has the version that an
 * `ETag` names. Never for a response with a secret: its length would reveal whether an attacker guessed a part of the
 * secret in the same response (BREACH).
 */
export function respondCompressed(
  c: HttpContext,
  status: number,
  body: string | FixedText,
  headers: Record<string, string>,
  { isPage = false } = {},
): Response {
  const text = typeof body === "string" ? body : body.text;
  if (text.length < minimumCharacters) return respondUnlessKnown(c, status, () => text, headers);
  const available: Partial<typeof encoders> = isPage ? pageEncoders : encoders;
  const encoding = encodingFor(c, Object.keys(available) as Encoding[]);
  const { Vary: vary } = headers;
  const varying = { ...headers, Vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding` };
  if (encoding === null) {
    const plain = () => (typeof body === "string" ? body : body.in(null, () => Buffer.from(text)));
    return respondUnlessKnown(c, status, plain, varying);
  }
  // Each encoding is a version of its own.
  const { ETag: tag } = headers;
  const encoded = { ...varying, ...(tag && { ETag: tag.replace(/"$/, `-${encoding}"`) }) };
  const encode = available[encoding]!;
  const compressed = () => (typeof body === "string" ? encode(body) : body.in(encoding, encode));
  return respondUnlessKnown(c, status, compressed, { ...encoded, "Content-Encoding": encoding });
}

function respondUnlessKnown(
  c: HttpContext,
  status: number,
  body: () => string | Bytes,
  headers: Record<string, string>,
): Response {
  const { ETag: tag } = headers;
  const known = tag === undefined ? undefined : c.req.header("if-none-match");
  if (tag !== undefined && known?.split(/\s*,\s*/).some((one) => isSame(one, tag))) {
    const { "Content-Encoding": _encoding, "Content-Type": _type, ...kept } = headers;
    return respond(c, 304, null, kept);
  }
  return respond(c, status, body(), headers);
}

const isSame = (known: string, tag: string) => known.replace(/^W\//, "") === tag || known === "*";

/** Returns the client's preferred encoding among those available, or null. */
export function encodingFor(
  { req }: HttpContext,
  available: readonly Encoding[] = encodings,
): Encoding | null {
  const accepted = req.header("accept-encoding");
  // Another site has made a browser send this, and may watch the length of the response.
  if (accepted === undefined || req.header("sec-fetch-site") === "cross-site") return null;
  return preferredEncoding(accepted, available);
}

/** Reads Accept-Encoding (RFC 9110, 12.5.3). Returns null for a client that prefers no encoding. */
export function preferredEncoding(
  accepted: string,
  available: readonly Encoding[] = encodings,
): Encoding | null {
  const weights = readWeights(accepted);
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  let best: Encoding | null = null;
  let weight = weights.get("identity") ?? 0;
  for (const encoding of available) {
    const own = weightOf(encoding);
    // On a tie, prefer the first encoding, and any encoding over none.
    if (own > weight || (best === null && own > 0 && own === weight)) [best, weight] = [encoding, own];
  }
  return best;
}
