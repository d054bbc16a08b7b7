import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, describe, expect, it } from "vitest";
import { queryClient } from "./query-client.ts";

describe("without a connection", () => {
  afterEach(() => {
    onlineManager.setOnline(true);
    queryClient.clear();
  });

  it("a change fails at once, and is not made later without being asked for again", async () => {
    onlineManager.setOnline(false);
    const attempts: string[] = [];
    const change = new MutationObserver(queryClient, {
      mutationFn: (name: string) => {
        attempts.push(name);
        return Promise.reject(new Error("unreachable"));
      },
    });
    const made = change.mutate("freeze");
    expect(change.getCurrentResult().isPaused).toBe(false);
    await expect(made).rejects.toThrow("unreachable");
    onlineManager.setOnline(true);
    await queryClient.resumePausedMutations();
    expect(attempts).toEqual(["freeze"]);
  });

  it("a page that is opened says what is wrong, and does not wait", async () => {
    onlineManager.setOnline(false);
    const read = queryClient.query({
      queryKey: ["cards"],
      queryFn: () => Promise.reject(new Error("unreachable")),
    });
    expect(queryClient.getQueryState(["cards"])?.fetchStatus).toBe("fetching");
    await expect(read).rejects.toThrow("unreachable");
  });
});
