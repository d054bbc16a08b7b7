import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/** Lines share their time, as those of one millisecond do. */
const timeOf = (line: number) => 1_772_442_000_000 + Math.floor(line / 3);

const script = `
  const timeOf = ${timeOf.toString()};
  const { processLogger } = await import(${JSON.stringify(new URL("logger.ts", import.meta.url).href)});
  const logger = processLogger({ logLevel: "info" });
  const log = (line) => {
    Date.now = () => timeOf(line);
    logger.info({ line }, "request");
  };
  for (let line = 0; line < 1000; line += 1) log(line);
  logger.flush();
  log(1000);
  // Longer than a line waits for others.
  await new Promise((resolve) => setTimeout(resolve, 50));
  log(1001);
  process.exit(3);
`;

it("a log has every line in order, with its time, also if the process exits at once", () => {
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text) as { line: number; time: string });
  expect(status).toBe(3);
  expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 1002 }, (_, line) => line));
  expect(lines.map(({ time }) => Date.parse(time))).toEqual(lines.map(({ line }) => timeOf(line)));
});
