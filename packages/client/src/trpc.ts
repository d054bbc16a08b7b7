import { decodeWire, encodeWire } from "@purser/core/wire";

export { type ProblemDocument } from "./error.ts";
export { type AppRouter } from "./generated/app-router.ts";

/**
 * Preserves dates between server and client. Pass it to the links of `@trpc/client`.
 *
 * ```ts
 * import { createTRPCClient, httpBatchLink } from "@trpc/client";
 * import { type AppRouter, transformer } from "@purser/client/trpc";
 *
 * const trpc = createTRPCClient<AppRouter>({
 *   links: [httpBatchLink({ url: "https://purser.example.com/trpc", transformer, maxItems: 10 })],
 * });
 * ```
 */
export const transformer: {
  serialize(value: unknown): unknown;
  deserialize(value: unknown): unknown;
} = {
  serialize: encodeWire,
  deserialize: (value) => decodeWire(value),
};
