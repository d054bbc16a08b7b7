/**
 * Loaded before a service of the harness: its clock goes wrong by as much as it is told, and it does not outlive the
 * harness, however that ends.
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
// A service that has done its work ends by itself, and is not to be kept by listening for this.
process.channel?.unref();
