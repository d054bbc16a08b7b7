import { hash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hono } from "hono";
import { FixedText, respondCompressed } from "../http/compression.ts";
import type { HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

// The build copies the files that such a URL names, and rewrites the URL.
const folder = new URL("./assets/", import.meta.url);

/** Serves styles, scripts and images from memory. Pages load nothing from other hosts, so they work offline. */
export function assetRoutes(app: Hono<HttpEnv>): void {
  for (const name of readdirSync(folder)) asset(app, `/assets/${name}`, new URL(name, folder));
}

function asset(app: Hono<HttpEnv>, path: string, file: URL): void {
  const type = types[extname(fileURLToPath(file))];
  if (type === undefined) throw new Error(`${path} has no media type`);
  let loaded: { text: FixedText; tag: string } | undefined;
  app.get(path, (c) => {
    const { text, tag } = (loaded ??= load(file));
    // With no-cache, a browser revalidates each file, so that an upgrade shows at once.
    const headers = { ...pageHeaders, "Content-Type": type, ETag: tag, "Cache-Control": "no-cache" };
    return respondCompressed(c, 200, text, headers);
  });
}

function load(file: URL) {
  const text = readFileSync(file, "utf8");
  return {
    text: new FixedText(text),
    tag: `"${hash("sha256", text, "base64url").slice(0, 22)}"`,
  };
}
