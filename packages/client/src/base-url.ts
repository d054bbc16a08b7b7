/**
 * Returns what returns the server's address. It throws at once for an address that is wrong everywhere. A relative one is
 * read with each call, because a page may also be loaded where it is rendered on a server.
 */
export function baseUrlReader(baseUrl: string | URL): () => string {
  const read = () => readBaseUrl(baseUrl);
  if (!isRelative(String(baseUrl))) read();
  return read;
}

/** Returns the server's address without a slash at its end. Throws a TypeError that says what is wrong with it. */
export function readBaseUrl(baseUrl: string | URL): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const text = String(baseUrl);
  const onPage = isRelative(text);
  if (onPage && !page) throw wrong(text, "outside a browser it starts with http:// or https://");
  const url = onPage ? new URL(text || "/", page) : parse(text);
  // "localhost:3000" parses as a URL whose scheme is "localhost:".
  if (url === null || !/^https?:$/.test(url.protocol))
    throw wrong(text, "it starts with http:// or https://");
  if (url.search || url.hash) throw wrong(text, "it has no query or fragment");
  if (url.username || url.password) throw wrong(text, "credentials belong in `token` or `headers`");
  const address = url.href.replace(/\/+$/, "");
  if (address.endsWith("/trpc")) throw wrong(text, "leave out /trpc");
  return address;
}

const isRelative = (text: string) => text === "" || /^\/(?!\/)/.test(text);

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const wrong = (text: string, rule: string) => new TypeError(`baseUrl cannot be "${text}": ${rule}.`);
