import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * Stands in for curl on machines without it, so that tests run the commands of the documentation as they are written. It
 * knows the options that those use, and fails on any other.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    fail: { type: "boolean", short: "f" },
    "fail-with-body": { type: "boolean" },
    include: { type: "boolean", short: "i" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d" },
    output: { type: "string", short: "o" },
    "dump-header": { type: "string", short: "D" },
    "write-out": { type: "string", short: "w", default: "" },
    get: { type: "boolean", short: "G" },
    "data-urlencode": { type: "string", multiple: true, default: [] },
  },
});
const [address = ""] = positionals;
const { data, output, "write-out": report } = values;
const url = new URL(address.includes("://") ? address : `http://${address}`);
for (const pair of values["data-urlencode"]) {
  const [name = "", ...value] = pair.split("=");
  url.searchParams.append(name, value.join("="));
}
const response = await fetch(url, {
  method: values.request ?? (data === undefined ? "GET" : "POST"),
  headers: values.header.map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name, value.join(":").trim()];
  }),
  redirect: "manual",
  ...(data !== undefined && { body: data }),
});
const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`);
const head = `HTTP/1.1 ${response.status} ${response.statusText}\r\n${lines.join("")}\r\n`;
const body = await response.text();
write(values["dump-header"], head);
if (!(values.fail && !response.ok)) write(output ?? "-", (values.include ? head : "") + body);
process.stdout.write(
  report.replaceAll(String.raw`\n`, "\n").replaceAll("%{http_code}", String(response.status)),
);
if ((values.fail || values["fail-with-body"]) && !response.ok) process.exitCode = 22;

function write(file: string | undefined, text: string): void {
  if (file === "-") process.stdout.write(text);
  else if (file !== undefined) writeFileSync(file, text);
}
