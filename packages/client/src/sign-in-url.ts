import { readBaseUrl } from "./base-url.ts";

/**
 * Returns the address of the server's own sign-in page. It leads to `next` afterwards, a page of the server.
 *
 * ```ts
 * location.assign(signInUrl("https://purser.example.com", { next: "/account#keys" }));
 * ```
 *
 * @throws {TypeError} If `baseUrl` is not the address of a server.
 */
export function signInUrl(baseUrl: string | URL, { next }: { next?: string | undefined } = {}): string {
  const page = `${readBaseUrl(baseUrl)}/sign-in`;
  return next === undefined ? page : `${page}?${new URLSearchParams({ next }).toString()}`;
}
