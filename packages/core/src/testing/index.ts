export { day, hour, minute, testClock, type TestClock } from "./clock.ts";
