import { type Caller, createContext } from "@purser/platform";
import { offerCalls } from "../calls.ts";
import { serveApp } from "../serve.ts";
import { benchRouter, createBenchCaller } from "./router.ts";

// The service with only the measured procedures, over HTTP and, without any transport, in process.
const { platform, auth } = await serveApp(benchRouter);
const id = process.env["BENCH_ORGANIZATION"]!;
const owner = JSON.parse(process.env["BENCH_CALLER"]!) as Caller;
const caller = createBenchCaller(() =>
  createContext(platform, {
    requestId: "req_bench",
    caller: owner,
    fromTrustedOrigin: true,
    idempotencyKey: null,
  }),
);
const headers = new Headers({ authorization: process.env["BENCH_AUTHORIZATION"] ?? "" });
offerCalls({
  sample: () => caller.bench.sample({ id }),
  organization: () => caller.organizations.get({ id }),
  session: () => auth.resolveCaller(headers),
});
