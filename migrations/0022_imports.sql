CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`file_name` text NOT NULL,
	`byte_size` integer NOT NULL,
	`file_key` text NOT NULL,
	`multipart_id` text DEFAULT '' NOT NULL,
	`parts` text DEFAULT '{}' NOT NULL,
	`detail` text DEFAULT '{}' NOT NULL,
	`report` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`claimed_until` text,
	`done_at` text,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "imports_kind" CHECK(kind IN ('tags', 'package')),
	CONSTRAINT "imports_json" CHECK(json_valid(parts) AND json_valid(detail))
);
--> statement-breakpoint
CREATE INDEX `imports_actor` ON `imports` (`actor_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `imports_expiry` ON `imports` (`expires_at`);