import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("me.get", () => {
  it("returns the caller with the memberships, newest organization first", async () => {
    const person = await purser.person();
    const other = await purser.person();
    const first = await purser.organization(person);
    purser.clock.advance(1);
    const second = await purser.organization(other, { members: [person] });
    await purser.organization(other);
    expect(await purser.as(person).me.get()).toEqual({
      id: person.userId,
      name: person.name,
      email: person.email,
      emailVerified: true,
      avatarUrl: null,
      isAdministrator: false,
      twoFactorEnabled: false,
      memberships: [
        {
          id: expect.stringMatching(/^mem_/),
          organizationId: second,
          organizationName: "Acme",
          role: "MEMBER",
          isCreator: false,
        },
        {
          id: expect.stringMatching(/^mem_/),
          organizationId: first,
          organizationName: "Acme",
          role: "OWNER",
          isCreator: true,
        },
      ],
    });
  });

  it("no longer lists a deleted organization", async () => {
    const person = await purser.person();
    const id = await purser.organization(person);
    await purser.as(person).organizations.delete({ id });
    expect((await purser.as(person).me.get()).memberships).toEqual([]);
  });
});

describe("organizations.list", () => {
  it("lists the caller's organizations without a userId", async () => {
    const person = await purser.person();
    const id = await purser.organization(person);
    const { list } = purser.as(person).organizations;
    expect((await list()).map((organization) => organization.id)).toEqual([id]);
    expect(await list()).toEqual(await list({ userId: person.userId }));
  });
});
