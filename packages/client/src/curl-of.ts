import { readBaseUrl } from "./base-url.ts";
import { type ReadInputs, readPaths } from "./generated/read-paths.ts";
import { queryOf } from "./query-of.ts";

/**
 * Returns a command for a terminal that reads something over REST, such as a sample beside a new API key.
 *
 * ```ts
 * curlOf("https://purser.example.com", "organizations.get", { id }, apiKey);
 * // curl "https://purser.example.com/api/organizations/org_…" -H "x-api-key: …"
 * ```
 *
 * @throws {TypeError} If `baseUrl` is not the address of a server.
 */
export function curlOf<Name extends keyof ReadInputs>(
  baseUrl: string | URL,
  procedure: Name,
  input: ReadInputs[Name],
  apiKey: string,
): string {
  const fields: Record<string, unknown> = { ...input };
  const path = readPaths[procedure].replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(fields[name]);
    delete fields[name];
    return encodeURIComponent(value);
  });
  const url = `${readBaseUrl(baseUrl)}${path}${queryOf(fields)}`;
  return `curl ${quoted(url)} -H ${quoted(`x-api-key: ${apiKey}`)}`;
}

/** In double quotes, which the shells of all systems have. */
const quoted = (text: string): string => `"${text.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`;
