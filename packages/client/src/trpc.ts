import { decodeWire, encodeWire } from "@purser/core/wire";

export { type ProblemDocument } from "./error.ts";
export { type AppRouter } from "./generated/app-router.ts";

/** How dates travel. `@trpc/client` needs it in its link: `httpBatchLink({ url, transformer, maxItems: 10 })`. */
export const transformer: {
  serialize(value: unknown): unknown;
  deserialize(value: unknown): unknown;
} = {
  serialize: encodeWire,
  deserialize: (value) => decodeWire(value),
};
