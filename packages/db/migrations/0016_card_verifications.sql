-- Approved verifications of cards, with an amount of 0, were pending for a week and then declined. They are final at once.
UPDATE "card_transactions" SET "status" = 'COMPLETED', "settled_at" = "created_at", "expires_at" = NULL
WHERE "status" = 'PENDING' AND "amount" = 0 AND "authorized" = 0 AND "held" = 0 AND "cleared" = 0;
