// Fakes answer over HTTP, where a thrown error would only be one more failed request to the adapter. So checks wait, and
// run when the test ends: they fail it there, and take no time from an adapter's request.
let checking = false;
let waiting: (() => string[])[] = [];

export function startChecking(): void {
  checking = true;
}

/**
 * Runs a part of a test in which a fake says what the vendor's types do not know, such as a status of tomorrow. A test
 * that needs this shows what the adapter does with a surprise.
 */
export async function outsideContract<T>(act: () => T | Promise<T>): Promise<T> {
  const before = checking;
  checking = false;
  try {
    return await act();
  } finally {
    checking = before;
  }
}

/** Keeps a check of what is said now for the end of the test. */
export function checkLater<Said extends object>(said: Said, check: (said: Said) => string[]): void {
  if (!checking) return;
  // Fakes change their objects afterward.
  const text = JSON.stringify(said);
  waiting.push(() => check(JSON.parse(text) as Said));
}

/** Runs the waiting checks and returns the violations that they find. */
export function takeViolations(): string[] {
  const checks = waiting;
  waiting = [];
  return [...new Set(checks.flatMap((check) => check()))];
}
