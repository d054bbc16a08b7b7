import type { MemberContext } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import type { Banks } from "./ports.ts";

/** The platform with the bank providers that this service is configured for. */
export type BankingPlatform = Platform & { banks: Banks };

/** The context of a banking procedure inside an organization. */
export type BankingContext = MemberContext & BankingPlatform;
