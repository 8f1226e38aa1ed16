CREATE TABLE `event_checks` (
	`event_id` text NOT NULL,
	`name` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`event_id`, `name`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "event_checks_name" CHECK(name IN ('preview', 'published', 'phone'))
);
--> statement-breakpoint
ALTER TABLE `events` ADD `show_before_password` integer DEFAULT false NOT NULL;