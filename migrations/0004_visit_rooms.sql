CREATE TABLE `visit_rooms` (
	`event_id` text PRIMARY KEY NOT NULL,
	`room` text NOT NULL,
	`sequence` integer NOT NULL,
	`flushed_at` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
