import { type TestPurser, createTestPurser, recordWork } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const recorder = recordWork();
let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser({ tracer: recorder.tracer });
});
afterAll(() => {
  recorder.stop();
  return purser.close();
});

describe("organizations.invitations.create", () => {
  it("does the same work for addresses with and without an account, so it reveals neither", async () => {
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const known = await purser.person();
    const invite = async (email: string) => {
      const { statements, ...work } = await recorder.measure(() =>
        purser.as(owner).organizations.invitations.create({ organizationId, email, role: "MEMBER" }),
      );
      // Events are announced after the commit, whenever the process gets to it.
      return { ...work, statements: statements.filter((text) => !text.startsWith("SELECT pg_notify(")) };
    };
    await invite("first@example.com");
    const unknown = await invite("unknown@example.com");
    expect(unknown.statements.length).toBeGreaterThan(5);
    expect(await invite(known.email)).toEqual(unknown);
  });
});
