import { configureGlobal } from "fast-check";

/**
 * For vitest's `setupFiles`. Properties then have the same examples in every run, so that a run fails because of a change
 * and not by chance. The nightly run draws new ones.
 */
if (process.env["PURSER_PROFILE"] !== "nightly") configureGlobal({ seed: 1 });
