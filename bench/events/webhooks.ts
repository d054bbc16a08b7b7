import { setTimeout as sleep } from "node:timers/promises";
import { seconds } from "../calls.ts";
import { recordGoal, reportLine } from "../report.ts";
import { type WebhookScene, webhookScene } from "./setup.ts";

/** Measures what one worker sends to a local receiver: how much, how soon, and while other endpoints hang. */
export async function webhooks(): Promise<void> {
  const scene = await webhookScene();
  try {
    await measureThroughput(scene);
    await measureDelay(scene);
    await measureIsolation(scene);
  } finally {
    await scene.close();
  }
}

const endpoints = 10;
const minimumPerSecond = 500;

/** A worker finds events of one organization for ten endpoints. */
async function measureThroughput({ purser, owner, receiver, ...scene }: WebhookScene): Promise<void> {
  const organizationId = await purser.organization(owner);
  await scene.addEndpoints(
    organizationId,
    Array.from({ length: endpoints }, () => "hook"),
  );
  const events = seconds * 100;
  for (let count = 0; count < events; count += 100) await scene.record(organizationId, "", 100);
  receiver.arrivals.length = 0;
  const worker = await scene.startWorker();
  await untilArrived(receiver, events * endpoints);
  await worker.stop();
  const took = (receiver.arrivals.at(-1)!.at - receiver.arrivals[0]!.at) / 1000;
  const perSecond = receiver.arrivals.length / took;
  const verdict = recordGoal({
    what: "webhooks a second from one worker",
    measured: perSecond.toFixed(0),
    goal: `at least ${minimumPerSecond}`,
    holds: perSecond >= minimumPerSecond,
  });
  reportLine(
    `\nOne worker sends ${receiver.arrivals.length} webhooks to ${endpoints} endpoints: ${perSecond.toFixed(0)} a second: ${verdict}`,
  );
}

const eventsPerSecond = 50;
const maxDelayMs = 250;

/** Events of one organization with one endpoint, one in a transaction. */
async function measureDelay(scene: WebhookScene): Promise<void> {
  const { purser, owner } = scene;
  const organizationId = await purser.organization(owner);
  await scene.addEndpoints(organizationId, ["hook"]);
  const worker = await scene.startWorker();
  // By then the worker listens.
  scene.receiver.arrivals.length = 0;
  await scene.record(organizationId, "");
  await untilArrived(scene.receiver, 1);
  const delays = await measureDelays(scene, [organizationId], {
    rate: eventsPerSecond,
    perEvent: () => 1,
  });
  await worker.stop();
  const p95 = at(delays, 0.95);
  const verdict = recordGoal({
    what: `from the commit to the first attempt at ${eventsPerSecond} events a second, p95`,
    measured: `${p95.toFixed(0)} ms`,
    goal: `under ${maxDelayMs} ms`,
    holds: p95 < maxDelayMs,
  });
  reportLine(
    `\nAt ${eventsPerSecond} events a second, from commit to first attempt: p50 ${at(delays, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms: ${verdict}`,
  );
}

const organizations = 500;
const endpointsEach = 20;
const hanging = 100;
const busyEventsPerSecond = 10;
const maxBesideMs = 1000;

/** Ten thousand endpoints, of which a hundred never answer. */
async function measureIsolation(scene: WebhookScene): Promise<void> {
  const { purser, owner, receiver } = scene;
  const ids: string[] = [];
  for (let count = 0; count < organizations; count += 1) {
    const id = await purser.organization(owner);
    const paths = Array.from({ length: endpointsEach }, () => "hook");
    if (count < hanging) paths[0] = "hang";
    await scene.addEndpoints(id, paths);
    ids.push(id);
  }
  const worker = await scene.startWorker();
  // By then each endpoint has had an event, and a hundred hang.
  receiver.arrivals.length = 0;
  for (const id of ids) await scene.record(id, "");
  await untilArrived(receiver, organizations * endpointsEach - hanging);
  // Others of the same organization as one that hangs, and others.
  const load = ids.toSpliced(0, hanging / 2).slice(0, hanging);
  const perEvent = (id: string) => (ids.indexOf(id) < hanging ? endpointsEach - 1 : endpointsEach);
  const delays = await measureDelays(scene, load, { rate: busyEventsPerSecond, perEvent });
  await worker.stop();
  const p95 = at(delays, 0.95);
  const verdict = recordGoal({
    what: `the same beside ${hanging} endpoints that hang, of ${organizations * endpointsEach}, p95 of the others`,
    measured: `${p95.toFixed(0)} ms`,
    goal: `under ${maxBesideMs} ms`,
    holds: p95 < maxBesideMs,
  });
  reportLine(
    `\nBeside ${hanging} of ${organizations * endpointsEach} endpoints that hang, at ${busyEventsPerSecond * endpointsEach} webhooks a second: ` +
      `p50 ${at(delays, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms: ${verdict}`,
  );
}

/**
 * Records events of one organization after the other at a steady rate, and returns how long each webhook took to arrive, in
 * ascending order.
 */
async function measureDelays(
  { record, receiver }: WebhookScene,
  organizationIds: readonly string[],
  { rate, perEvent }: { rate: number; perEvent: (organizationId: string) => number },
): Promise<number[]> {
  const count = rate * seconds;
  let expected = 0;
  const committed = new Map<string, number>();
  receiver.arrivals.length = 0;
  const start = performance.now();
  const recording: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    await sleep(Math.max(0, start + (index * 1000) / rate - performance.now()));
    const name = String(index);
    const organizationId = organizationIds[index % organizationIds.length]!;
    expected += perEvent(organizationId);
    recording.push(record(organizationId, name).then((time) => committed.set(name, time)));
  }
  await Promise.all(recording);
  await untilArrived(receiver, expected);
  return receiver.arrivals
    .map(({ name, at: arrived }) => Math.max(0, arrived - committed.get(name)!))
    .toSorted((one, other) => one - other);
}

async function untilArrived({ arrivals }: { arrivals: unknown[] }, count: number): Promise<void> {
  const until = performance.now() + 120_000;
  while (arrivals.length < count) {
    if (performance.now() > until) throw new Error(`Only ${arrivals.length} of ${count} webhooks arrived`);
    await sleep(5);
  }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0;
