import type { AppRouter as RealRouter } from "@purser/router";
import type { AppRouter as PublishedRouter } from "../src/generated/app-router.ts";
import type { ProblemCode } from "../src/generated/problem-code.ts";
import type { procedures } from "../src/generated/procedures.ts";
import type { PurserClient } from "../src/generated/purser-client.ts";
import type { Equal, ErrorOf, ImageOfClient, ImageOfRouter, OpenError, Same } from "./parity.ts";

// The drift guard: this file compiles only while the published types equal those of the router.
export type Guards = [
  Same<ImageOfRouter<RealRouter>, ImageOfClient<PurserClient, typeof procedures>>,
  Same<ImageOfRouter<RealRouter>, ImageOfRouter<PublishedRouter>>,
  Same<OpenError<ErrorOf<RealRouter>>, ErrorOf<PublishedRouter>>,
  Same<ErrorOf<RealRouter>["data"]["problem"]["code"], ProblemCode>,
];

// Differences that the guard must notice.
export const differences: [
  Equal<{ at: Date }, { at: string }>,
  Equal<{ name: string }, { name: string | null }>,
  Equal<{ name?: string }, { name?: string | undefined }>,
  Equal<{ name: string }, { name: unknown }>,
] = [false, false, false, false];
