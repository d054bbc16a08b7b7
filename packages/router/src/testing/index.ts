export { openCable } from "./cable.ts";
export { callProcedure, problemOf, refusalOf } from "./call.ts";
export { type TestClock, day, hour, minute, testClock } from "@purser/core/testing";
export { createTestDatabase, startTestServer } from "./database.ts";
export { testRunFolder } from "./memory.ts";
export { type Person, type TestPurser, createTestPurser } from "./purser.ts";
export { type ReplicatedPostgres, startReplicatedPostgres } from "./replica.ts";
export { exampleInputs } from "./inputs.ts";
export { type Role, type Scene, roles, setScene } from "./scene.ts";
