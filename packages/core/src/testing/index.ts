export { characterAt, characterCount } from "./characters.ts";
export { day, hour, minute, testClock, type TestClock } from "./clock.ts";
export { isNightly } from "./profile.ts";
