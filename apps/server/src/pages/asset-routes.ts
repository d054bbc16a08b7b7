import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hono } from "hono";
import { respond } from "../http/response.ts";
import type { HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

// The build copies what such URLs name, and points them at the copies.
const ours = new URL("./assets/", import.meta.url);
const swaggerStyle = new URL("../../node_modules/swagger-ui-dist/swagger-ui.css", import.meta.url);
const swaggerScript = new URL("../../node_modules/swagger-ui-dist/swagger-ui-bundle.js", import.meta.url);

/** Serves style, scripts and images from memory: pages load nothing from anywhere else, so they work offline. */
export function assetRoutes(app: Hono<HttpEnv>): void {
  for (const name of readdirSync(ours)) asset(app, `/assets/${name}`, new URL(name, ours));
  asset(app, "/assets/swagger-ui.css", swaggerStyle);
  asset(app, "/assets/swagger-ui.js", swaggerScript);
}

function asset(app: Hono<HttpEnv>, path: string, file: URL): void {
  const type = types[extname(fileURLToPath(file))];
  if (type === undefined) throw new Error(`${path} has no media type`);
  let loaded: { body: Uint8Array<ArrayBuffer>; tag: string } | undefined;
  app.get(path, (c) => {
    const { body, tag } = (loaded ??= load(file));
    // Browsers ask whether it has changed, and most often it has not: an upgrade shows at once.
    const headers = { ...pageHeaders, "Content-Type": type, ETag: tag, "Cache-Control": "no-cache" };
    return c.req.header("if-none-match") === tag
      ? respond(c, 304, null, headers)
      : respond(c, 200, body, headers);
  });
}

function load(file: URL) {
  const body = new Uint8Array(readFileSync(file));
  return { body, tag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}
