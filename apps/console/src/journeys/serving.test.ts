import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestConsole, startTestConsole } from "../testing/console.ts";

let console: TestConsole;
beforeAll(async () => (console = await startTestConsole()), 120_000);
afterAll(() => console?.close());

describe("the console", () => {
  it("shows a guest the start page, and a user the overview of their organization", async () => {
    const guest = await console.open("/");
    await guest.page.getByRole("link", { name: "Sign in" }).waitFor();
    const user = await console.open("/", { user: console.demo.owner });
    await user.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect([...guest.violations, ...user.violations]).toEqual([]);
  });
});
