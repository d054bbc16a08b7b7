import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobInfo, defineJob } from "./definition.ts";
import { handleJobs, registerHandlers } from "./registry.ts";

const policy = { retries: 1, pauseSeconds: 1, longestPauseSeconds: 1 };
const greet = defineJob<{ name: string }>("test.greet", policy);
const part = defineJob<null>("test.part", policy);
const info: JobInfo = { id: "job", attempt: 1, last: false };

describe("handleJobs", () => {
  it("pairs each definition with its handler", async () => {
    const names: string[] = [];
    const handlers = handleJobs(
      { greet, part },
      { greet: async ({ name }) => void names.push(name), part: async () => void names.push("part") },
    );
    expect(handlers.map(({ definition }) => definition)).toEqual([greet, part]);
    await handlers[0]!.handle({ name: "Ada" } as never, info);
    await handlers[1]!.handle(null as never, info);
    expect(names).toEqual(["Ada", "part"]);
  });

  it("is a type error for a missing, superfluous, or mistyped handler", () => {
    const done = async () => undefined;
    const mistakes = [
      // @ts-expect-error The job `part` has no handler.
      () => handleJobs({ greet, part }, { greet: done }),
      // @ts-expect-error The job `wave` is not defined.
      () => handleJobs({ greet, part }, { greet: done, part: done, wave: done }),
      // @ts-expect-error The payload is an object.
      () => handleJobs({ greet }, { greet: async (name: string) => void name }),
    ];
    expect(mistakes).toHaveLength(3);
  });
});

describe("registerHandlers", () => {
  const [greeting, parting] = handleJobs({ greet, part }, { greet: async () => {}, part: async () => {} });

  it("takes one handler per job", () => {
    expect(registerHandlers([greet, part], [parting!, greeting!])).toEqual([parting, greeting]);
  });

  it.each([
    ["a job without a handler", [greet, part], [greeting!], "No handler for the jobs test.part"],
    [
      "a handler without a job",
      [greet],
      [greeting!, parting!],
      "The job test.part has a handler but is not registered",
    ],
    ["two handlers of one job", [greet], [greeting!, greeting!], "The job test.greet has a handler but"],
    [
      "two jobs of one name",
      [greet, defineJob("test.greet", policy)],
      [greeting!],
      "Two jobs have the name test.greet",
    ],
  ])("refuses %s", (_case, jobs, handlers, message) => {
    expect(() => registerHandlers(jobs, handlers)).toThrow(message);
  });
});

describe("the outbox", () => {
  let purser: TestPurser;
  beforeAll(async () => {
    purser = await createTestPurser();
  });
  afterAll(() => purser.close());

  it("refuses a job that is not registered", async () => {
    const enqueue = purser.db.transaction((transaction) =>
      purser.platform.outbox.enqueue(transaction, part, null),
    );
    await expect(enqueue).rejects.toThrow("The job test.part is not registered, so it has no queue");
  });

  it("is a type error for the payload of another job", () => {
    const { outbox } = purser.platform;
    const mistyped = (transaction: Parameters<typeof outbox.enqueue>[0]) =>
      // @ts-expect-error The payload lacks its name.
      outbox.enqueue(transaction, greet, {});
    expect(mistyped).toBeInstanceOf(Function);
  });
});
