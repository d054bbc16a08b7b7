// @module-tag slow
import { type Person, type TestPurser, createTestPurser, isNightly, problemOf } from "@purser/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/**
 * Runs random histories of one organization on real connections. Some commands of a round run concurrently and race for
 * the same locks. After every round, the organization has an owner, and the creator is an owner.
 */
const size = isNightly ? { runs: 1000, commands: 50 } : { runs: 6, commands: 50 };

let purser: TestPurser;
let people: Person[];

beforeAll(async () => {
  // The limit on invitation mails is not under test here.
  purser = await createTestPurser({ settings: { authAttemptsPerAccount: 1_000_000 } });
  people = await Promise.all(Array.from({ length: 4 }, () => purser.person()));
});
afterAll(() => purser.close());

const person = fc.nat({ max: 3 });
const command = fc.oneof(
  fc.record({ kind: fc.constant("invite" as const), actor: person, target: person, owns: fc.boolean() }),
  fc.record({ kind: fc.constant("accept" as const), actor: person }),
  fc.record({ kind: fc.constant("remove" as const), actor: person, target: person }),
  fc.record({ kind: fc.constant("setRole" as const), actor: person, target: person, owns: fc.boolean() }),
  fc.record({ kind: fc.constant("revoke" as const), actor: person, target: person }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;
const rounds = fc.array(fc.array(command, { minLength: 1, maxLength: 5 }), {
  minLength: size.commands / 5,
  maxLength: size.commands / 5,
});

/** The refusals that are valid in any order of the commands. */
const foreseen = new Set([
  "FORBIDDEN",
  "ORGANIZATION_NOT_FOUND",
  "MEMBERSHIP_NOT_FOUND",
  "INVITATION_NOT_FOUND",
  "OWNER_CANNOT_LEAVE",
  "CREATOR_PROTECTED",
  "LAST_OWNER",
  "ALREADY_MEMBER",
]);

describe("organizations", () => {
  it(
    "always have an owner, and the creator is one of the owners",
    { timeout: isNightly ? 3_600_000 : 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(rounds, async (history) => {
          const organizationId = await purser.organization(people[0]!);
          for (const round of history) {
            const outcomes = await Promise.all(round.map((one) => run(one, organizationId)));
            for (const outcome of outcomes) if (outcome !== "ok") expect(foreseen).toContain(outcome);
            const members = await membersNow(organizationId);
            const creator = members.find(({ isCreator }) => isCreator);
            expect(creator).toMatchObject({ userId: people[0]!.userId, role: "OWNER" });
            expect(new Set(members.map(({ userId }) => userId)).size).toBe(members.length);
          }
        }),
        { numRuns: size.runs },
      );
    },
  );
});

/** Reads as the creator, who can never be removed. */
const membersNow = (organizationId: string) =>
  purser.as(people[0]!).organizations.members.list({ organizationId });

async function run(one: Command, organizationId: string): Promise<string> {
  const { members, invitations } = purser.as(people[one.actor]!).organizations;
  const target = "target" in one ? people[one.target]! : people[one.actor]!;
  const role = "owns" in one && one.owns ? "OWNER" : "MEMBER";
  const membershipId = async () =>
    (await membersNow(organizationId)).find(({ userId }) => userId === target.userId)?.id ?? "mem_none";
  const invitationId = async () =>
    (await purser.as(people[0]!).organizations.invitations.list({ organizationId })).find(
      ({ email }) => email === target.email,
    )?.id ?? "inv_none";
  try {
    if (one.kind === "invite") await invitations.create({ organizationId, email: target.email, role });
    if (one.kind === "accept") await invitations.accept({ id: await invitationId() });
    if (one.kind === "revoke") await invitations.revoke({ invitationId: await invitationId() });
    if (one.kind === "remove") await members.remove({ membershipId: await membershipId() });
    if (one.kind === "setRole") await members.updateRole({ id: await membershipId(), role });
    return "ok";
  } catch (error) {
    return problemOf(error).code;
  }
}
