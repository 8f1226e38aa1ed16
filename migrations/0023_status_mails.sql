CREATE TABLE `status_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`status_id` integer NOT NULL,
	`happened_at` text NOT NULL,
	`next_at` text,
	`tries` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `status_mails_due` ON `status_mails` (`next_at`) WHERE next_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `status_mails_event` ON `status_mails` (`event_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `status_mails` integer DEFAULT false NOT NULL;