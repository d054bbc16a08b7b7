import { describe, expect, it } from "vitest";
import type { Membership } from "./store.ts";
import { refuseRemoval, refuseRoleChange, refuseUserDeletion } from "./rules.ts";

const membership = (id: string, role: Membership["role"], isCreator = false): Membership => ({
  organizationId: "org_1",
  id,
  userId: `user_${id}`,
  role,
  isCreator,
});

const creator = membership("1", "OWNER", true);
const owner = membership("2", "OWNER");
const otherOwner = membership("3", "OWNER");
const member = membership("4", "MEMBER");
const otherMember = membership("5", "MEMBER");

describe("organizations.members.remove", () => {
  it.each([
    ["a member", member, "another member", otherMember, "FORBIDDEN"],
    ["a member", member, "the creator", creator, "FORBIDDEN"],
    ["a member", member, "themselves", member, null],
    ["an owner", owner, "themselves", owner, "OWNER_CANNOT_LEAVE"],
    ["the creator", creator, "themselves", creator, "OWNER_CANNOT_LEAVE"],
    ["an owner", owner, "the creator", creator, "CREATOR_PROTECTED"],
    ["an owner", owner, "another owner", otherOwner, null],
    ["an owner", owner, "a member", member, null],
  ])("%s removing %s", (_actor, actor, _target, target, refusal) => {
    expect(refuseRemoval(actor, target)).toBe(refusal);
  });
});

describe("organizations.members.updateRole", () => {
  it.each([
    ["a member promotes themselves", member, member, "OWNER", 2, "FORBIDDEN"],
    ["an owner demotes the creator", owner, creator, "MEMBER", 2, "CREATOR_PROTECTED"],
    ["the creator demotes themselves", creator, creator, "MEMBER", 2, "CREATOR_PROTECTED"],
    ["the last owner demotes themselves", owner, owner, "MEMBER", 1, "LAST_OWNER"],
    ["an owner demotes themselves while another owner remains", owner, owner, "MEMBER", 2, null],
    ["an owner demotes another owner", owner, otherOwner, "MEMBER", 3, null],
    ["an owner promotes a member", owner, member, "OWNER", 1, null],
    ["an owner leaves the creator an owner", owner, creator, "OWNER", 2, null],
    ["an owner leaves a member a member", owner, member, "MEMBER", 1, null],
  ] as const)("%s", (_what, actor, target, role, owners, refusal) => {
    expect(refuseRoleChange(actor, target, role, owners)).toBe(refusal);
  });
});

describe("deleting a user", () => {
  it.each([
    ["the creator", creator, 3, "CREATOR_PROTECTED"],
    ["the last owner", owner, 1, "LAST_OWNER"],
    ["one of several owners", owner, 2, null],
    ["a member", member, 1, null],
  ] as const)("%s", (_who, target, owners, refusal) => {
    expect(refuseUserDeletion(target, owners)).toBe(refusal);
  });
});
