import { setTimeout as sleep } from "node:timers/promises";
import { reportLine, recordGoal } from "../report.ts";
import { type Issued, issueCards, startBuying } from "./setup.ts";

const cardCount = 10_000;
const edits = 40;
/** Milliseconds. */
const goal = 50;
const buyers = 8;

/** Measures how long a change of a policy takes that many cards follow, without and with purchases on them. */
export async function policyEdit(): Promise<void> {
  const issued = await issueCards(cardCount);
  try {
    const idle = await editPolicy(issued);
    const { stop } = startBuying(issued, buyers);
    const busy = await editPolicy(issued);
    const decided = await stop();
    const what = `Changing the limit of a policy of ${cardCount.toLocaleString("en")} cards`;
    const measured = `${idle.median.toFixed(1)} ms`;
    const verdict = recordGoal({ what, measured, goal: `under ${goal} ms`, holds: idle.median < goal });
    reportLine(`\n${what}, ${edits} times\n`);
    reportLine(
      `median ${measured}, slowest ${idle.slowest.toFixed(1)} ms; under ${goal} ms to reach: ${verdict}`,
    );
    reportLine(
      `while ${buyers} buyers make purchases: median ${busy.median.toFixed(1)} ms, slowest ` +
        `${busy.slowest.toFixed(1)} ms; ${decided} purchases, all approved`,
    );
  } finally {
    await issued.close();
  }
}

async function editPolicy({ purser, owner, organizationId, policyId }: Issued) {
  const { policies } = purser.as(owner).cards;
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit += 1) {
    const start = performance.now();
    await policies.update({ organizationId, policyId, spendingLimit: 1e12 + Math.ceil(Math.random() * 1e9) });
    times.push(performance.now() - start);
    await sleep(100);
  }
  times.sort((one, other) => one - other);
  return { median: times[times.length / 2]!, slowest: times.at(-1)! };
}
