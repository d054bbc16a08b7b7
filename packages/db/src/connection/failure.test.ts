import postgres from "postgres";
import { describe, expect, it } from "vitest";
import { isUnavailable } from "./failure.ts";

const failed = (message: string) =>
  new Error("Failed query", {
    cause: Object.assign(new postgres.PostgresError(message), { code: "XX000", message }),
  });

describe("isUnavailable", () => {
  it.each([
    ["failure on connection marked as essential: 127.0.0.1:5432", true],
    ["server closed the connection unexpectedly", true],
    ["connection not open", true],
    ["could not receive data from server: Connection reset by peer", true],
    ["could not read block 7", false],
    ["postmaster was shut down, exiting", true],
    ["invalid page in block 7", false],
  ])("tells a server of a cluster that has ended from a defect: %s", (message, expected) => {
    expect(isUnavailable(failed(message))).toBe(expected);
  });

  it("is so while the database accepts no connections, and not for another statement that is out of place", () => {
    const outOfPlace = (severity: string) =>
      new Error("Failed query", {
        cause: Object.assign(new postgres.PostgresError(""), { code: "55000", severity }),
      });
    expect(isUnavailable(outOfPlace("FATAL"))).toBe(true);
    expect(isUnavailable(outOfPlace("ERROR"))).toBe(false);
  });
});
