import type { Person, TestPurser } from "./purser.ts";

/** Who may meet an organization: each row of an access table is about one of them. */
export const roles = ["anonymous", "stranger", "member", "owner", "administrator"] as const;
export type Role = (typeof roles)[number];

/** One organization with everybody who may meet it, and something of everything in it. */
export interface Scene {
  organizationId: string;
  people: Record<Exclude<Role, "anonymous">, Person>;
  /** Of a member who is none of the people. */
  otherMembershipId: string;
  invitedPerson: Person;
  invitationId: string;
}

export async function setScene(purser: TestPurser): Promise<Scene> {
  const stranger = await purser.person();
  const member = await purser.person();
  const owner = await purser.person();
  const administrator = await purser.person({ isAdministrator: true });
  const other = await purser.person();
  const invitedPerson = await purser.person();
  const organizationId = await purser.organization(owner, { members: [member, other] });
  const { members, invitations } = purser.as(owner).organizations;
  const membership = (await members.list({ organizationId })).find(({ userId }) => userId === other.userId)!;
  await invitations.create({ organizationId, email: invitedPerson.email, role: "MEMBER" });
  const [invitation] = await invitations.list({ organizationId });
  return {
    organizationId,
    people: { stranger, member, owner, administrator },
    otherMembershipId: membership.id,
    invitedPerson,
    invitationId: invitation!.id,
  };
}

/** For every procedure, an input that somebody of the scene may give. Tests that are generated start from it. */
export const exampleInputs: Record<string, (scene: Scene) => Record<string, unknown>> = {
  "organizations.list": ({ people }) => ({ userId: people.owner.userId }),
  "organizations.get": ({ organizationId }) => ({ id: organizationId }),
  "organizations.create": () => ({ name: "Another" }),
  "organizations.update": ({ organizationId }) => ({ id: organizationId, name: "Renamed" }),
  "organizations.delete": ({ organizationId }) => ({ id: organizationId }),
  "organizations.members.list": ({ organizationId }) => ({ organizationId }),
  "organizations.members.remove": ({ otherMembershipId }) => ({ membershipId: otherMembershipId }),
  "organizations.members.updateRole": ({ otherMembershipId }) => ({ id: otherMembershipId, role: "OWNER" }),
  "organizations.invitations.list": ({ organizationId }) => ({ organizationId }),
  "organizations.invitations.get": ({ invitationId }) => ({ id: invitationId }),
  "organizations.invitations.create": ({ organizationId }) => ({
    organizationId,
    email: "new@example.com",
    role: "MEMBER",
  }),
  "organizations.invitations.accept": ({ invitationId }) => ({ id: invitationId }),
  "organizations.invitations.revoke": ({ invitationId }) => ({ invitationId }),
  "organizations.subscription.get": ({ organizationId }) => ({ organizationId }),
  "organizations.settings.get": ({ organizationId }) => ({ id: organizationId }),
  "organizations.settings.update": ({ organizationId }) => ({
    id: organizationId,
    timeZone: "Europe/London",
  }),
  "organizations.audit.list": ({ organizationId }) => ({ id: organizationId }),
};
