CREATE TABLE `user_counts` (
	`role` text NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`role`, `status`),
	CONSTRAINT "user_counts_total" CHECK(total >= 0)
);
--> statement-breakpoint
CREATE TABLE `user_docs` (
	`doc` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_docs_user` ON `user_docs` (`user_id`);--> statement-breakpoint
CREATE TABLE `user_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`file_name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`done_at` text,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "user_imports_json" CHECK(json_valid(plan))
);
--> statement-breakpoint
CREATE INDEX `user_imports_actor` ON `user_imports` (`actor_id`);--> statement-breakpoint
CREATE INDEX `user_imports_expiry` ON `user_imports` (`expires_at`);--> statement-breakpoint
DROP INDEX `users_newest`;--> statement-breakpoint
CREATE INDEX `users_by_created` ON `users` (created_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (search_key || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_by_company` ON `users` (lower(company_name) || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (email_key || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_of_created` ON `users` (`role`,`status`,created_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_of_name` ON `users` (`role`,`status`,search_key || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_of_company` ON `users` (`role`,`status`,lower(company_name) || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_of_email` ON `users` (`role`,`status`,email_key || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_asked` ON `users` (deletion_requested_at || id) WHERE deleted_at IS NULL AND deletion_requested_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_trash` ON `users` (deleted_at || id) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `audit_resource`;--> statement-breakpoint
DROP INDEX `audit_actor`;--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit` (`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_kind` ON `audit` (`resource_type`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_newest` ON `audit` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_resource` ON `audit` (`resource_type`,`resource_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,`at`,`id`);--> statement-breakpoint
ALTER TABLE `groups` ADD `member_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `groups_trash` ON `groups` (`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `group_members_newest` ON `group_members` (`group_id`,`created_at`,`user_id`);