import { Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { RequestDurations, buckets } from "./request-durations.ts";

it("reports what prom-client's histogram would", async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const durations = new RequestDurations(ours);
  const histogram = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the first byte of a request's head to its response",
    labelNames: ["method", "route", "status"],
    buckets,
    registers: [theirs],
  });
  const routes = ["/api/cards", "/api/cards/:id", 'a route with "quotes"'];
  for (const method of ["GET", "POST"])
    for (const route of routes)
      for (const status of [200, 404])
        // On each bound, between two, and beyond them all.
        for (const seconds of [0, ...buckets, 0.003, 31]) {
          durations.count(method, route, status, seconds);
          histogram.observe({ method, route, status }, seconds);
        }
  expect(await ours.metrics()).toBe(await theirs.metrics());
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
