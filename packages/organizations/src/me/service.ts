import { Problem } from "@purser/core";
import { findUserAccount } from "@purser/identity/users";
import { type CallerContext, userOf } from "@purser/platform";
import { listNamedMembershipsOf } from "../members/store.ts";

const maxMemberships = 1000;

export async function getMe({ db, caller }: CallerContext) {
  const { userId } = userOf(caller);
  const [account, memberships] = await Promise.all([
    findUserAccount(db, userId),
    listNamedMembershipsOf(db, userId, maxMemberships),
  ]);
  // Deleted since the credential was checked.
  if (account === undefined) throw new Problem("UNAUTHENTICATED");
  return { ...account, memberships };
}
