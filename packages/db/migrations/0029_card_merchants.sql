-- How many merchants an organization has. Without it, PostgreSQL expects as many merchants as transactions, and sorts them
-- all to report the spending at each.
CREATE STATISTICS "card_transactions_merchant" ON (coalesce("merchant_id", "merchant_name")) FROM "card_transactions";
