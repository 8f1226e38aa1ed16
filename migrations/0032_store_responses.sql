CREATE TABLE `store_responses` (
	`event_id` text NOT NULL,
	`kind` text NOT NULL,
	`origin` text NOT NULL,
	`at` text NOT NULL,
	`operation` text NOT NULL,
	`code` text,
	`status` integer,
	`message` text NOT NULL,
	`scope` text,
	`version` text,
	`ms` integer NOT NULL,
	`attempts` integer NOT NULL,
	PRIMARY KEY(`event_id`, `kind`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
