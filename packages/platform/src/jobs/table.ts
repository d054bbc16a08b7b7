import { sql } from "drizzle-orm";
import { integer, jsonb, pgSchema, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";

const states = ["created", "retry", "active", "completed", "cancelled", "failed"] as const;

const columns = {
  id: uuid("id").notNull(),
  name: text("name").notNull(),
  state: text("state", { enum: states }).notNull(),
  data: jsonb("data").$type<{ sealed: string } | null>(),
  output: jsonb("output").$type<{ message?: string; value?: { message?: string } } | null>(),
  retryCount: integer("retry_count").notNull(),
  retryLimit: integer("retry_limit").notNull(),
  createdOn: timestamp("created_on", { withTimezone: true }).notNull(),
  startAfter: timestamp("start_after", { withTimezone: true }).notNull(),
  startedOn: timestamp("started_on", { withTimezone: true }),
  completedOn: timestamp("completed_on", { withTimezone: true }),
};

/** The columns of pg-boss's job table that we use. pg-boss itself creates and migrates the table. */
export const runnerJobs = pgSchema("pgboss").table("job", columns, (table) => [
  primaryKey({ columns: [table.name, table.id] }),
]);

/** As constants, these lead to pg-boss's index of the jobs that wait. */
export const isWaiting = sql`state < 'active' AND NOT blocked`;

/** pg-boss stores its internal jobs, such as `__pgboss__send-it`, in the same table. */
export const isOurJob = sql`${runnerJobs.name} NOT LIKE ${"\\_\\_%"}`;
