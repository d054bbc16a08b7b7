import { describe, expect, it } from "vitest";
import { openEvent } from "./stored-event.ts";
import type { StoredEvent } from "./store.ts";
import {
  type RecordedEvent,
  addStoredEvents,
  findMissingEvents,
  readStoredEvents,
} from "./testing/stored-events.ts";

const { text, events } = readStoredEvents();

const rowOf = ({ type, data }: RecordedEvent) =>
  ({
    organizationId: "org_1",
    id: "evt_1",
    type,
    subjectId: "subject_1",
    actorId: null,
    createdAt: new Date("2026-03-18T19:48:36.000Z"),
    data: JSON.stringify(data),
  }) as StoredEvent;

describe("the events that earlier versions have stored", () => {
  it("can be read, or the feed of an organization would end at one of them after an upgrade", () => {
    const hint = "Events lack what was added later: a new field of their data is optional or has a default";
    for (const event of events) expect(() => openEvent([], rowOf(event)), hint).not.toThrow();
  });

  it("have each type and each shape that this version can read", () => {
    expect(findMissingEvents(events), "Run: pnpm generate").toEqual([]);
  });

  it("have empty lists", () => {
    const withoutTypes = expect.objectContaining({ types: [] });
    const hasTypes = ({ data }: RecordedEvent) => (data as { types?: unknown[] }).types?.length !== 0;
    const missing = findMissingEvents(events.filter(hasTypes));
    expect(missing).toContainEqual({ type: "webhook_endpoint.disabled", data: withoutTypes });
  });

  it("are added to, and never changed or removed", () => {
    const hint = "Restore the lines of packages/events/stored-events.jsonl, and run: pnpm generate";
    expect(addStoredEvents("", events) === text, hint).toBe(true);
  });
});
