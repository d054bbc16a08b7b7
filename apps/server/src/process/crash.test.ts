import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const script = `
  const { endOnCrash } = await import(${JSON.stringify(new URL("crash.ts", import.meta.url).href)});
  const { processLogger } = await import(${JSON.stringify(new URL("logger.ts", import.meta.url).href)});
  const logger = processLogger({ logLevel: "info" });
  endOnCrash({ end: () => console.log("ended") }, logger);
  const cause = Object.assign(new Error("bad value: hunter2"), { severity: "ERROR", code: "22P02" });
  const query = Object.assign(new Error("Failed query: insert\\nparams: hunter2", { cause }), { query: "", params: ["hunter2"] });
  setTimeout(() => Promise.reject(query));
`;

describe("an uncaught error", () => {
  it("is logged as one line without data, and shuts the process down in order", () => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", script],
      {
        encoding: "utf8",
      },
    );
    const line = stdout.split("\n").find((text) => text.startsWith("{"));
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "error",
      msg: "Crashed",
      err: { type: "Error", stack: [expect.stringMatching(/^at /)], cause: { type: "Error", code: "22P02" } },
    });
    expect(stdout).toContain("ended");
    expect(stdout + stderr).not.toContain("hunter2");
    expect(status).toBe(1);
  });
});
