ALTER TABLE `sessions` ADD `authenticated_at` text;
--> statement-breakpoint
ALTER TABLE `audit` ADD `credential` text;
--> statement-breakpoint
ALTER TABLE `audit` ADD `network` text;
