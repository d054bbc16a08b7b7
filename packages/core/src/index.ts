export { type Clock, systemClock } from "./clock.ts";
export { Email, Id, Name, TimeZone, WebUrl, text } from "./fields.ts";
export { type IdPrefix, isId, newId } from "./id.ts";
export { page } from "./page.ts";
export {
  type Issue,
  Problem,
  type ProblemCode,
  type ProblemDocument,
  catalogue,
  problemDocument,
} from "./problem.ts";
export { decodeWire, encodeWire } from "./wire.ts";
