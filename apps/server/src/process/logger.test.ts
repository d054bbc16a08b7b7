import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import type { RequestLine } from "../http/request-line.ts";

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

it.each([
  ["many lines", 3000, "x", 100],
  ["a long text, with others around it", 3, "\u00e9\u20ac\u{1f600}", 20_000],
  ["letters of several bytes each", 1000, "\u20ac", 300],
])("a log is complete with %s", (_what, count, part, parts) => {
  const logging = `
    const { processLogger } = await import(${JSON.stringify(new URL("logger.ts", import.meta.url).href)});
    const logger = processLogger({ logLevel: "info" });
    const text = ${JSON.stringify(part)}.repeat(${parts});
    for (let line = 0; line < ${count}; line += 1) {
      logger.info({ line }, "before");
      logger.info({ line, text }, "text");
    }
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", logging], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((written) => JSON.parse(written) as { line: number; text?: string });
  expect(lines.map(({ line, text: own }) => [line, own])).toEqual(
    Array.from({ length: count }, (_, line) => [
      [line, undefined],
      [line, part.repeat(parts)],
    ]).flat(),
  );
});

const line = { method: "GET", route: "/api/cards/:id", status: 200, ms: 0.3, requestId: "req_1" };
const trace = { trace_id: "a", span_id: "b" };

it.each<{ logLevel: string; logged: RequestLine; traced?: typeof trace }>([
  { logLevel: "info", logged: line },
  { logLevel: "info", logged: { ...line, userId: "user_1" }, traced: trace },
  { logLevel: "info", logged: { ...line, keyId: "key_1" } },
  { logLevel: "warn", logged: line },
])("logs a request as any other line: %o", ({ logLevel, logged, traced }) => {
  const logging = `
    Date.now = () => 1;
    const { processLogger } = await import(${JSON.stringify(new URL("logger.ts", import.meta.url).href)});
    const tracing = { logFields: () => (${JSON.stringify(traced)}) };
    const logger = processLogger({ logLevel: ${JSON.stringify(logLevel)} }, tracing);
    logger.info(${JSON.stringify(logged)}, "request");
    logger.logRequest(${JSON.stringify(logged)});
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", logging], {
    encoding: "utf8",
  });
  const lines = stdout
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as unknown);
  const expected = { level: "info", time: "1970-01-01T00:00:00.001Z", ...traced, ...logged, msg: "request" };
  expect(lines).toEqual(logLevel === "info" ? [expected, expected] : []);
});

it("lines of requests keep their order among others, their time and their trace, also if the process exits at once", () => {
  const logging = `
    let count = 0;
    Date.now = () => count;
    const { processLogger } = await import(${JSON.stringify(new URL("logger.ts", import.meta.url).href)});
    const tracing = { logFields: () => (count % 3 === 0 ? undefined : { trace_id: "t" + count, span_id: "s" + count }) };
    const logger = processLogger({ logLevel: "info" }, tracing);
    for (count = 1; count <= 6; count += 1) {
      logger.info({ requestId: "other " + count }, "other");
      logger.logRequest({ ...${JSON.stringify(line)}, requestId: "request " + count });
    }
    process.exit();
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", logging], {
    encoding: "utf8",
  });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map(
      (text) => JSON.parse(text) as { time: string; requestId: string; trace_id?: string; span_id?: string },
    );
  const expected = [1, 2, 3, 4, 5, 6].flatMap((count) =>
    ["other", "request"].map((kind) => ({
      requestId: `${kind} ${count}`,
      time: new Date(count).toISOString(),
      trace: count % 3 === 0 ? [undefined, undefined] : [`t${count}`, `s${count}`],
    })),
  );
  expect(
    lines.map(({ requestId, time, trace_id, span_id }) => ({ requestId, time, trace: [trace_id, span_id] })),
  ).toEqual(expected);
});
