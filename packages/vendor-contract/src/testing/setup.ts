import { afterEach } from "vitest";
import { startChecking, takeViolations } from "../violations.ts";

/** For vitest's `setupFiles`. Fails a test in which a fake or its adapter breaks the vendor's contract. */
startChecking();
afterEach(() => {
  const violations = takeViolations();
  if (violations.length > 0) throw new Error(`The vendor's contract is broken:\n${violations.join("\n")}`);
});
