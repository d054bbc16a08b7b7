import { isNightly } from "@purser/core/testing";
import { configureGlobal } from "fast-check";

/**
 * For vitest's `setupFiles`. Properties then have the same examples in every run, so that a run fails because of a change
 * and not by chance. The nightly run draws new ones.
 */
if (!isNightly) configureGlobal({ seed: 1 });
