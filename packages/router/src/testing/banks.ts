import { type Banks, openBanks } from "../banking/index.ts";
import type { OpenPlatform } from "../open.ts";
import { bankLoaders } from "../service/providers.ts";

/** The banks that the settings configure, beside those with which a test replaces them. */
export const configuredBanks = (platform: OpenPlatform["platform"]): Banks =>
  openBanks(bankLoaders(platform));
