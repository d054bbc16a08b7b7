import { Problem } from "@purser/core";
import { findUserAccount } from "@purser/identity/users";
import type { UserContext } from "@purser/platform";
import { listNamedMembershipsOf } from "../members/store.ts";

const maximumMemberships = 1000;

export async function getMe({ db, caller }: UserContext) {
  const [account, memberships] = await Promise.all([
    findUserAccount(db, caller.userId),
    listNamedMembershipsOf(db, caller.userId, maximumMemberships),
  ]);
  // Deleted since the credential was checked.
  if (account === undefined) throw new Problem("UNAUTHENTICATED");
  return { ...account, memberships };
}
