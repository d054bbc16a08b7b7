import { fileURLToPath } from "node:url";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const client = (entry: string) =>
  fileURLToPath(new URL(`../../packages/client/src/${entry}.ts`, import.meta.url));

/** The service that `pnpm dev` runs. The page under hot reload calls it through this server, on one origin. */
const service = process.env["PURSER_URL"] ?? "http://localhost:3000";
const proxied = ["/api", "/trpc", "/assets", "/sign-in", "/sign-up", "/account", "/docs", "/local"];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tanstackRouter({ target: "react", autoCodeSplitting: true, quoteStyle: "double" }), react()],
  resolve: {
    alias: [
      { find: /^@purser\/client$/, replacement: client("index") },
      { find: /^@purser\/client\/(auth|tanstack)$/, replacement: client("$1") },
    ],
  },
  // Names with hashes, so that browsers may keep the files for ever.
  build: { outDir: "dist", assetsDir: "console", target: "es2023", modulePreload: { polyfill: false } },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, service])) },
});
