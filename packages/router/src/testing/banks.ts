import { type Banks, openBanks } from "../banking/index.ts";
import type { Platform } from "../platform/context.ts";
import { bankLoaders } from "../service/providers.ts";

/** The banks that the settings configure, beside those with which a test replaces them. */
export const configuredBanks = (platform: Platform): Banks => openBanks(bankLoaders(platform));
