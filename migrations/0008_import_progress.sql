ALTER TABLE `user_imports` ADD `claimed_until` text;--> statement-breakpoint
ALTER TABLE `user_imports` ADD `results` text DEFAULT '[]' NOT NULL;