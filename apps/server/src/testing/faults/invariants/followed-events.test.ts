import { describe, expect, it } from "vitest";
import type { FedEvent } from "../../stream-follower.ts";
import { findDifferences } from "./followed-events.ts";

const eventsOf = (ids: string) =>
  ids.split("").map((id): FedEvent => ({ id, type: "", subject: { type: "", id: "" }, data: {} }));

/** A follower that opened its stream and its endpoint after the first event. */
const follower = ({ fed = "abcd", streamed = "bcd", received = "dcb" }) => ({
  fed: eventsOf(fed),
  streamed: eventsOf(streamed),
  received: new Set(received),
  streamsFrom: 1,
});

const differences = (read: Parameters<typeof follower>[0]) =>
  findDifferences(follower(read), ["a", "b", "c", "d"]).map(
    ({ reader, description }) => `${reader} ${description}`,
  );

describe("the readers of events", () => {
  it("may get webhooks in another order, and for events from before", () => {
    expect(differences({})).toEqual([]);
    expect(differences({ received: "cabd" })).toEqual([]);
  });

  it.each([
    ["a feed without an event", { fed: "abd" }, "feed of 4 events: 1 missing (c)"],
    ["a stream that repeats one", { streamed: "bccd" }, "stream of 3 events: 1 unexpected or repeated (c)"],
    ["a stream in another order", { streamed: "cbd" }, "stream of 3 events: in another order"],
    ["a missing webhook", { received: "bc" }, "webhooks of 3 events: 1 missing (d)"],
    ["a webhook of no event", { received: "bcdx" }, "webhooks of 3 events: 1 unexpected or repeated (x)"],
  ])("are compared with the events: %s", (_case, read, difference) => {
    expect(differences(read)).toEqual([difference]);
  });
});
