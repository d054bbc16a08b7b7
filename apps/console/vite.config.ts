import { fileURLToPath } from "node:url";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const source = (file: string) => fileURLToPath(new URL(`../../packages/${file}.ts`, import.meta.url));

/** The service that `pnpm dev` runs. The page under hot reload calls it through this server, on one origin. */
const service = process.env["PURSER_URL"] ?? "http://localhost:3000";
const proxied = ["/api", "/trpc", "/assets", "/sign-in", "/sign-up", "/account", "/docs", "/local"];

/**
 * What every page needs, under names that tell what is inside. Without them, all of it lies in a chunk that has the name of
 * one of our modules. Components are left to the pages that show them.
 */
const groups = [
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  { name: "tanstack", test: /node_modules[\\/]@tanstack[\\/](?!.*virtual)/ },
  { name: "data", test: /src[\\/]data[\\/](failed-query|format|lists|organization|search|zoned-day)\.ts$/ },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter({ target: "react", autoCodeSplitting: true, quoteStyle: "double", semicolons: true }),
    react(),
  ],
  resolve: {
    alias: [
      { find: /^@purser\/client$/, replacement: source("client/src/index") },
      { find: /^@purser\/client\/(auth|tanstack)$/, replacement: source("client/src/$1") },
      // The client bundles it, and names it as a development dependency, which `pnpm dev` does not install.
      { find: "@purser/core/wire", replacement: source("core/src/wire") },
    ],
  },
  // Names with hashes, so that browsers may keep the files for ever.
  build: {
    outDir: "dist",
    assetsDir: "console",
    target: "es2023",
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, service])) },
});
