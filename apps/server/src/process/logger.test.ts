import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const script = `
  const { processLogger } = await import(${JSON.stringify(new URL("logger.ts", import.meta.url).href)});
  const logger = processLogger({ logLevel: "info" });
  for (let line = 0; line < 1000; line += 1) logger.info({ line }, "request");
  logger.flush();
  logger.info({ line: 1000 }, "request");
  await new Promise((resolve) => setTimeout(resolve, 50));
  logger.info({ line: 1001 }, "request");
  process.exit(3);
`;

it("a log has every line in order, with its time, also if the process exits at once", () => {
  const before = Date.now();
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text) as { line: number; time: string });
  expect(status).toBe(3);
  expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 1002 }, (_, line) => line));
  const times = lines.map(({ time }) => Date.parse(time));
  expect(times[0]).toBeGreaterThanOrEqual(before);
  expect(times[1001]! - times[1000]!).toBeGreaterThanOrEqual(49);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});
