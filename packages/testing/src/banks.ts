import type { Banks } from "@purser/banking/ports";
import { openBanks } from "@purser/banking";
import { type Service, bankLoaders } from "@purser/service";

/** The banks that the settings configure, beside those with which a test replaces them. */
export const configuredBanks = (platform: Service["platform"]): Banks => openBanks(bankLoaders(platform));
