/**
 * Loaded into each process of the harness before the service. Shifts the clock on request, and ends the process when
 * the harness ends for any reason.
 */
let shiftMs = 0;
const realDate = Date;
const now = () => realDate.now() + shiftMs;

globalThis.Date = new Proxy(realDate, {
  construct: (real, given) => Reflect.construct(real, given.length === 0 ? [now()] : given) as object,
  get: (real, name) => (name === "now" ? now : Reflect.get(real, name)),
});

process.on("message", (message: { shiftMs: number }) => (shiftMs = message.shiftMs));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// This listener must not keep a finished process alive.
process.channel?.unref();
