import type { sandboxBankFaultKinds } from "@purser/core";

export type SandboxBankFault = (typeof sandboxBankFaultKinds)[number];
