-- First steps of new accounts. Accounts that have a space are marked as done.
ALTER TABLE `spaces` ADD `is_sample` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `users` ADD `first_steps_closed` integer DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE users SET first_steps_closed = 1 WHERE space_count > 0;
