import { describe, expect, it } from "vitest";
import { serializeChange } from "./serialize-changes.ts";

/** A change that ends when it is told to, and takes down what happens. */
function change(log: string[], name: string) {
  const answer = Promise.withResolvers<string>();
  const run = () => {
    log.push(`${name} begins`);
    return answer.promise.finally(() => log.push(`${name} ends`));
  };
  return { run, answer };
}

describe("serializeChange", () => {
  it("begins a change of a thing when the one before has ended", async () => {
    const log: string[] = [];
    const [first, second, other] = ["first", "second", "other"].map((name) => change(log, name));
    const both = [serializeChange("txn_1", first!.run), serializeChange("txn_1", second!.run)];
    const elsewhere = serializeChange("txn_2", other!.run);
    other!.answer.resolve("c");
    expect(await elsewhere).toBe("c");
    second!.answer.resolve("b");
    first!.answer.resolve("a");
    expect(await Promise.all(both)).toEqual(["a", "b"]);
    expect(log.filter((line) => !line.startsWith("other"))).toEqual([
      "first begins",
      "first ends",
      "second begins",
      "second ends",
    ]);
  });

  it("goes on after a change that fails", async () => {
    const failing = serializeChange("txn_1", () => Promise.reject(new Error("No answer")));
    const next = serializeChange("txn_1", () => Promise.resolve("saved"));
    await expect(failing).rejects.toThrow("No answer");
    expect(await next).toBe("saved");
  });
});
