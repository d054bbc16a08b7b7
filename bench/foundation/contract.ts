import { z } from "zod";

/** The small answer of every target without a database: an organization, checked on the way in and out. */
export const sample = { id: "org_01kk8m3q00fv0tqg1q3dh0w8jm", name: "Acme", avatarUrl: null };
export const Input = z.strictObject({ id: z.string().max(255) });
export const Output = z.object({ id: z.string(), name: z.string(), avatarUrl: z.string().nullable() });

/** A page of transactions, as long as the longest page of the service. */
export const Transactions = z.array(
  z.object({
    id: z.string(),
    amount: z.int(),
    currency: z.string(),
    description: z.string(),
    transactionDate: z.date(),
    type: z.enum(["CREDIT", "DEBIT"]),
    category: z.string().nullable(),
    accountId: z.string(),
    account: z.object({
      id: z.string(),
      accountName: z.string(),
      accountNumber: z.string().nullable(),
      connection: z.object({ id: z.string(), provider: z.string() }),
    }),
  }),
);
export const transactions: z.infer<typeof Transactions> = Array.from({ length: 1000 }, (_, index) => ({
  id: `btx_${String(index).padStart(26, "0")}`,
  amount: 100 + ((index * 7919) % 99900),
  currency: "GBP",
  description: `Corner Coffee ${index}`,
  transactionDate: new Date(Date.UTC(2026, 0, 1 + (index % 365))),
  type: index % 200 === 0 ? "CREDIT" : "DEBIT",
  category: index % 3 === 0 ? null : "SOFTWARE",
  accountId: "bac_01kk8m3q00fv0tqg1q3dh0w8jm",
  account: {
    id: "bac_01kk8m3q00fv0tqg1q3dh0w8jm",
    accountName: "Current account",
    accountNumber: "12345678",
    connection: { id: "bcn_01kk8m3q00fv0tqg1q3dh0w8jm", provider: "sandbox" },
  },
}));
