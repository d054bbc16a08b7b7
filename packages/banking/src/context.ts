import type { MemberContext } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import type { BankAccountHooks } from "./hooks.ts";
import type { Banks } from "./ports.ts";

/** The platform with the bank providers that this service is configured for, and the hooks of other areas. */
export type BankingPlatform = Platform & { banks: Banks; bankAccountHooks: readonly BankAccountHooks[] };

/** The context of a banking procedure inside an organization. */
export type BankingContext = MemberContext & BankingPlatform;
