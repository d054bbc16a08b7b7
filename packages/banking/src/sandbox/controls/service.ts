import { Problem, definedFields, isId, utcDay } from "@purser/core";
import type { Transaction } from "@purser/db";
import { audit, transactInOrganization } from "@purser/platform";
import type { z } from "zod";
import type { BankingContext } from "../../context.ts";
import type {
  AddTransaction,
  ChangeConsent,
  ChangeTransaction,
  ClearFaults,
  PostTransaction,
  RemoveTransaction,
  SetFault,
} from "./contract.ts";
import { findSandboxConnection, findExternalTransactionId, listExternalAccountIds } from "./store.ts";

/** Loaded on first use, like the bank. */
const loadControls = () => import("./bank.ts");
type Controls = Awaited<ReturnType<typeof loadControls>>;
type BankTarget = Parameters<Controls["clearBankFaults"]>[0];

interface Target {
  teamId: string;
  connectionId: string;
  notify?: boolean;
}

export function addTransaction(ctx: BankingContext, input: z.output<typeof AddTransaction>) {
  return controlSandboxBank(ctx, input, async (controls, target) => {
    const { teamId, connectionId, accountId, amount, type, description, category, date } = input;
    const accountIds = await listExternalAccountIds(target.transaction, teamId, connectionId, accountId);
    const status = input.pending ? "PENDING" : "POSTED";
    const state = { amount, type, description, category, status, date } as const;
    const id = await controls.addBankTransaction(ctx, target, accountIds, state);
    if (id === null) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
    return { bankTransactionId: id };
  });
}

export function postTransaction(ctx: BankingContext, input: z.output<typeof PostTransaction>) {
  return controlSandboxBank(ctx, input, async (controls, target) => {
    const id = await controls.postBankTransaction(ctx, target, await bankIdOf(target, input), input);
    if (id === null) {
      throw new Problem("BANK_TRANSACTION_NOT_FOUND", {
        detail: "There is no such pending bank transaction.",
      });
    }
    return { bankTransactionId: id };
  });
}

export function changeTransaction(ctx: BankingContext, input: z.output<typeof ChangeTransaction>) {
  return controlSandboxBank(ctx, input, async (controls, target) => {
    const { amount, description, category, date } = input;
    const change = definedFields({ amount, description, category, date: date && utcDay(date) });
    const id = await controls.changeBankTransaction(ctx, target, await bankIdOf(target, input), change);
    if (id === null) throw new Problem("BANK_TRANSACTION_NOT_FOUND");
  });
}

export function removeTransaction(ctx: BankingContext, input: z.output<typeof RemoveTransaction>) {
  return controlSandboxBank(ctx, input, async (controls, target) => {
    const id = await controls.removeBankTransaction(ctx, target, await bankIdOf(target, input));
    if (id === null) throw new Problem("BANK_TRANSACTION_NOT_FOUND");
  });
}

type ConsentControl = "revokeConsent" | "expireConsent" | "requireReauthorization" | "repairConsent";

export function changeConsent(
  ctx: BankingContext,
  name: ConsentControl,
  input: z.output<typeof ChangeConsent>,
) {
  return controlSandboxBank(ctx, input, (controls, target) => controls[name](ctx, target));
}

export function setFault(ctx: BankingContext, input: z.output<typeof SetFault>) {
  const { fault, times = null, retryAfterSeconds = null, milliseconds = null } = input;
  return controlSandboxBank(ctx, input, (controls, target) =>
    controls.setBankFault(target, fault, { times, retryAfterSeconds, milliseconds }),
  );
}

export function clearFaults(ctx: BankingContext, input: z.output<typeof ClearFaults>) {
  return controlSandboxBank(ctx, input, (controls, target) => controls.clearBankFaults(target));
}

/** Changes something at the bank of a connection, and writes an audit entry. */
async function controlSandboxBank<Output>(
  ctx: BankingContext,
  input: Target,
  act: (controls: Controls, target: BankTarget & Target) => Promise<Output>,
): Promise<Output> {
  const controls = await loadControls();
  return transactInOrganization(ctx, input.teamId, input, async (transaction) => {
    const output = await act(controls, await findTarget(transaction, input));
    const { teamId, connectionId, notify: _, ...details } = input;
    audit(ctx, transaction, { organizationId: teamId, subject: connectionId, details });
    return output;
  });
}

async function findTarget(transaction: Transaction, target: Target): Promise<BankTarget & Target> {
  const { teamId, connectionId, notify = true } = target;
  const connection = await findSandboxConnection(transaction, teamId, connectionId);
  if (connection === undefined) throw new Problem("CONNECTION_NOT_FOUND");
  if (connection.provider !== "sandbox") throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
  const { consentId } = connection;
  return { transaction, teamId, connectionId, organizationId: teamId, consentId, notify };
}

/** Returns the bank's id. Callers may pass ours instead. */
async function bankIdOf(target: BankTarget & Target, input: { bankTransactionId: string }): Promise<string> {
  const { bankTransactionId: id } = input;
  if (!isId("btx", id)) return id;
  const { transaction, teamId, connectionId } = target;
  return (await findExternalTransactionId(transaction, teamId, connectionId, id)) ?? id;
}
