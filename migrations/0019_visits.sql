-- Nothing has ever written to it.
DROP TABLE `visits`;--> statement-breakpoint
CREATE TABLE `visit_batches` (
	`id` integer PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`visit` text NOT NULL,
	`part` integer NOT NULL,
	`at` text NOT NULL,
	`visitor` text NOT NULL,
	`detail` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "visit_batches_detail" CHECK(json_valid(detail))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visit_batches_once` ON `visit_batches` (`event_id`,`visit`,`part`);--> statement-breakpoint
CREATE TABLE `visit_erasures` (
	`event_id` text PRIMARY KEY NOT NULL,
	`before` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `visit_live` (
	`minute` integer NOT NULL,
	`event_id` text NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`minute`, `event_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `visit_salts` (
	`ends_at` text NOT NULL,
	`time_zone` text NOT NULL,
	`salt` text NOT NULL,
	PRIMARY KEY(`ends_at`, `time_zone`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `visit_totals` (
	`event_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`visits` integer NOT NULL,
	`visitors` integer NOT NULL,
	`seconds` integer NOT NULL,
	`tags` integer NOT NULL,
	`media` integer NOT NULL,
	`products` integer NOT NULL,
	`carts` integer NOT NULL,
	`checkouts` integer NOT NULL,
	`tag_visitors` integer NOT NULL,
	`product_visitors` integer NOT NULL,
	`cart_visitors` integer NOT NULL,
	`checkout_visitors` integer NOT NULL,
	`parts` text NOT NULL,
	PRIMARY KEY(`event_id`, `grain`, `period`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "visit_totals_grain" CHECK(grain IN ('hour', 'day', 'month', 'year')),
	CONSTRAINT "visit_totals_parts" CHECK(json_valid(parts))
);
--> statement-breakpoint
CREATE TABLE `visitor_days` (
	`day` text NOT NULL,
	`event_id` text NOT NULL,
	`visitor` text NOT NULL,
	`last_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`seconds` integer NOT NULL,
	`did` text NOT NULL,
	`seen` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`day`, `event_id`, `visitor`),
	CONSTRAINT "visitor_days_lists" CHECK(json_valid(did) AND json_valid(seen))
) WITHOUT ROWID;
