import type { Banks } from "@purser/banking/ports";
import { openProviders } from "@purser/platform/providers";
import { type Service, bankLoaders } from "@purser/service";

/** Opens the configured banks, for a test that replaces some of them. */
export const configuredBanks = (platform: Service["platform"]): Banks => openProviders(bankLoaders(platform));
