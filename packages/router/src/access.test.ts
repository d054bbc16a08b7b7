import type { ProblemCode } from "@purser/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "./router.ts";
import { type Person, type TestPurser, callProcedure, createTestPurser, problemOf } from "./testing/index.ts";

/** One organization with everybody who may meet it, and something of everything in it. */
interface Scene {
  organizationId: string;
  people: Record<Role, Person | null>;
  otherMembershipId: string;
  invitationId: string;
}

const roles = ["anonymous", "stranger", "member", "owner", "administrator"] as const;
type Role = (typeof roles)[number];
type Outcome = "ok" | ProblemCode;

interface Row {
  input: (scene: Scene) => unknown;
  /** For stranger, member, owner, administrator; anonymous is UNAUTHENTICATED, unless public. */
  expected: readonly [stranger: Outcome, member: Outcome, owner: Outcome, administrator: Outcome];
}

const anyMember = (missing: ProblemCode) => [missing, "ok", "ok", missing] as const;
const ownersOnly = (missing: ProblemCode) => [missing, "FORBIDDEN", "ok", missing] as const;
const anybody = ["ok", "ok", "ok", "ok"] as const;

/** Who may do what (contract, section 1). A procedure without a row fails. */
const access: Record<string, Row> = {
  "organizations.list": {
    input: ({ people }) => ({ userId: people.owner!.userId }),
    expected: ["FORBIDDEN", "FORBIDDEN", "ok", "ok"],
  },
  "organizations.get": {
    input: ({ organizationId }) => ({ id: organizationId }),
    expected: anyMember("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.create": { input: () => ({ name: "Another" }), expected: anybody },
  "organizations.update": {
    input: ({ organizationId }) => ({ id: organizationId, name: "Renamed" }),
    expected: ownersOnly("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.delete": {
    input: ({ organizationId }) => ({ id: organizationId }),
    expected: ownersOnly("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.members.list": {
    input: ({ organizationId }) => ({ organizationId }),
    expected: anyMember("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.members.remove": {
    input: ({ otherMembershipId }) => ({ membershipId: otherMembershipId }),
    expected: ownersOnly("MEMBERSHIP_NOT_FOUND"),
  },
  "organizations.members.updateRole": {
    input: ({ otherMembershipId }) => ({ id: otherMembershipId, role: "OWNER" }),
    expected: ownersOnly("MEMBERSHIP_NOT_FOUND"),
  },
  "organizations.invitations.list": {
    input: ({ organizationId }) => ({ organizationId }),
    expected: ownersOnly("ORGANIZATION_NOT_FOUND"),
  },
  // To whom it does not concern it is null, which the test of the procedure itself tells apart.
  "organizations.invitations.get": { input: ({ invitationId }) => ({ id: invitationId }), expected: anybody },
  "organizations.invitations.create": {
    input: ({ organizationId }) => ({ organizationId, email: "new@example.com", role: "MEMBER" }),
    expected: ownersOnly("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.invitations.accept": {
    input: ({ invitationId }) => ({ id: invitationId }),
    expected: ["INVITATION_NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "INVITATION_NOT_FOUND"],
  },
  "organizations.invitations.revoke": {
    input: ({ invitationId }) => ({ invitationId }),
    expected: ownersOnly("INVITATION_NOT_FOUND"),
  },
  "organizations.subscription.get": {
    input: ({ organizationId }) => ({ organizationId }),
    expected: anyMember("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.settings.get": {
    input: ({ organizationId }) => ({ id: organizationId }),
    expected: anyMember("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.settings.update": {
    input: ({ organizationId }) => ({ id: organizationId, timeZone: "Europe/London" }),
    expected: ownersOnly("ORGANIZATION_NOT_FOUND"),
  },
  "organizations.audit.list": {
    input: ({ organizationId }) => ({ id: organizationId }),
    expected: ownersOnly("ORGANIZATION_NOT_FOUND"),
  },
};

let purser: TestPurser;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

async function setScene(): Promise<Scene> {
  const [stranger, member, owner, administrator, other, invited] = await Promise.all([
    purser.person(),
    purser.person(),
    purser.person(),
    purser.person({ isAdministrator: true }),
    purser.person(),
    purser.person(),
  ]);
  const organizationId = await purser.organization(owner, { members: [member, other] });
  const { members, invitations } = purser.as(owner).organizations;
  const membership = (await members.list({ organizationId })).find(({ userId }) => userId === other.userId)!;
  await invitations.create({ organizationId, email: invited.email, role: "MEMBER" });
  const [invitation] = await invitations.list({ organizationId });
  return {
    organizationId,
    people: { anonymous: null, stranger, member, owner, administrator },
    otherMembershipId: membership.id,
    invitationId: invitation!.id,
  };
}

/** The same input with everything in it replaced by identifiers that were never issued. */
function neverIssued(input: unknown): unknown {
  const fields = Object.entries(input as Record<string, unknown>).map(([name, value]) => {
    const prefix = typeof value === "string" && /^(org|mem|inv)_/.exec(value)?.[1];
    return [name, prefix ? purser.unknownId(prefix as "org") : value];
  });
  return Object.fromEntries(fields);
}

const procedures = Object.keys(appRouter._def.procedures);

it("has a row of the access table for every procedure", () => {
  expect(Object.keys(access).toSorted()).toEqual(procedures.toSorted());
});

describe.each(procedures)("%s", (procedure) => {
  const row = access[procedure]!;
  const [stranger, member, owner, administrator] = row.expected;
  const expected: Record<Role, Outcome> = { anonymous: "UNAUTHENTICATED", stranger, member, owner, administrator };

  it("answers each kind of caller as the access table says", async () => {
    for (const role of roles) {
      const scene = await setScene();
      const outcome = await attempt(scene.people[role], procedure, row.input(scene));
      expect({ role, outcome: outcome.code }).toEqual({ role, outcome: expected[role] });
    }
  });

  it("tells a stranger the same of what is hidden as of what never was", async () => {
    const scene = await setScene();
    const hidden = await attempt(scene.people.stranger, procedure, row.input(scene));
    const missing = await attempt(scene.people.stranger, procedure, neverIssued(row.input(scene)));
    if (stranger.endsWith("_NOT_FOUND")) expect(missing).toEqual(hidden);
    else expect(missing.code).toBe(hidden.code);
  });
});

async function attempt(
  person: Person | null,
  procedure: string,
  input: unknown,
): Promise<{ code: Outcome; sentence?: string }> {
  try {
    await callProcedure(purser.as(person), procedure, input);
    return { code: "ok" };
  } catch (error) {
    const { code, message } = problemOf(error);
    return { code, sentence: message };
  }
}
