import type { Hono } from "hono";
import { readBytes } from "../http/body.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Door, DoorContext } from "../http/door.ts";
import { apiHeaders } from "../http/headers.ts";
import type { Service } from "../service.ts";

/** Everything under `/api/auth` is the identity area's own; the door bounds bodies and tells where they come from. */
export function authDoor(app: Hono<Door>, { auth, platform }: Service): void {
  const addressOf = clientAddress(platform.settings.trustedProxies);
  app.all("/api/auth/*", async (c) => {
    const request = await bounded(c);
    const answer = await auth.handle(request, { address: addressOf(c), requestId: c.get("requestId") });
    for (const [name, value] of Object.entries(apiHeaders)) answer.headers.set(name, value);
    return answer;
  });
}

/** The same request with a body that has arrived whole. */
async function bounded(c: DoorContext): Promise<Request> {
  const { raw, method, url } = c.req;
  if (method === "GET" || method === "HEAD") return raw;
  const bytes = await readBytes(c);
  const headers = new Headers(raw.headers);
  // Node's fetch says how it fetches but not from where, as browsers always do. better-auth takes whoever says the
  // one for a browser, and asks it for an origin.
  if (!headers.has("sec-fetch-site")) headers.delete("sec-fetch-mode");
  return new Request(url, { method, headers, ...(bytes.length > 0 && { body: bytes }) });
}
