CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`detail` text NOT NULL,
	CONSTRAINT "audit_detail" CHECK(json_valid(detail))
);
--> statement-breakpoint
CREATE INDEX `audit_resource` ON `audit` (`resource_type`,`resource_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,`at`);--> statement-breakpoint
CREATE TABLE `event_media` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`library_item_id` text NOT NULL,
	`title_ja` text DEFAULT '' NOT NULL,
	`title_en` text DEFAULT '' NOT NULL,
	`description_ja` text DEFAULT '' NOT NULL,
	`description_en` text DEFAULT '' NOT NULL,
	`placement` text,
	`created_on` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`library_item_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "event_media_placement" CHECK(placement IS NULL OR json_valid(placement))
);
--> statement-breakpoint
CREATE INDEX `event_media_event` ON `event_media` (`event_id`,`created_on`,`id`);--> statement-breakpoint
CREATE INDEX `event_media_item` ON `event_media` (`library_item_id`);--> statement-breakpoint
CREATE TABLE `event_tags` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`title_ja` text DEFAULT '' NOT NULL,
	`title_en` text DEFAULT '' NOT NULL,
	`body_ja` text DEFAULT '' NOT NULL,
	`body_en` text DEFAULT '' NOT NULL,
	`color` text NOT NULL,
	`icon` text NOT NULL,
	`keywords` text NOT NULL,
	`link_url` text,
	`position` text,
	`stem` text NOT NULL,
	`viewpoint` text,
	`sort_order` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "event_tags_color" CHECK(color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
	CONSTRAINT "event_tags_json" CHECK(json_valid(keywords) AND json_valid(stem) AND (position IS NULL OR json_valid(position)) AND (viewpoint IS NULL OR json_valid(viewpoint)))
);
--> statement-breakpoint
CREATE INDEX `event_tags_event` ON `event_tags` (`event_id`,`sort_order`,`id`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`space_id` text NOT NULL,
	`event_name` text NOT NULL,
	`name_key` text NOT NULL,
	`start_date` text,
	`end_date` text,
	`status_id` integer DEFAULT 1 NOT NULL,
	`enable_auto_change_status` integer DEFAULT true NOT NULL,
	`access_token` text NOT NULL,
	`preview_access_token` text NOT NULL,
	`sp_access_token` text,
	`sp_store_url` text,
	`event_detail` text DEFAULT '' NOT NULL,
	`url_params` text DEFAULT '{}' NOT NULL,
	`publish_password_hash` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "events_status" CHECK(status_id IN (1, 2, 3, 4)),
	CONSTRAINT "events_auto_change" CHECK(enable_auto_change_status IN (0, 1)),
	CONSTRAINT "events_event_name" CHECK(length(event_name) BETWEEN 1 AND 32),
	CONSTRAINT "events_detail" CHECK(length(event_detail) <= 1000),
	CONSTRAINT "events_tokens" CHECK(length(access_token) >= 43 AND length(preview_access_token) >= 43),
	CONSTRAINT "events_url_params" CHECK(json_valid(url_params))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_name` ON `events` (`space_id`,`name_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `events_space` ON `events` (`space_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `events_start` ON `events` (`start_date`) WHERE deleted_at IS NULL AND enable_auto_change_status = 1 AND status_id IN (1, 2);--> statement-breakpoint
CREATE INDEX `events_end` ON `events` (`end_date`) WHERE deleted_at IS NULL AND enable_auto_change_status = 1 AND status_id IN (1, 2, 3);--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`parent_id` text,
	`owner_id` text NOT NULL,
	`folder_type` text NOT NULL,
	`name` text NOT NULL,
	`group_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	FOREIGN KEY (`parent_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "folders_type" CHECK(folder_type IN ('space', 'media')),
	CONSTRAINT "folders_name" CHECK(length(name) <= 64 AND (parent_id IS NULL) = (name = ''))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `folders_root` ON `folders` (`owner_id`,`folder_type`) WHERE parent_id IS NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `folders_owner` ON `folders` (`owner_id`,`folder_type`);--> statement-breakpoint
CREATE INDEX `folders_parent` ON `folders` (`parent_id`);--> statement-breakpoint
CREATE INDEX `folders_group` ON `folders` (`group_id`);--> statement-breakpoint
CREATE TABLE `group_members` (
	`group_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `group_members_user` ON `group_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text
);
--> statement-breakpoint
CREATE INDEX `groups_newest` ON `groups` (`created_at`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `library_items` (
	`id` text PRIMARY KEY NOT NULL,
	`folder_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`group_id` text,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`search_key` text NOT NULL,
	`file_name` text NOT NULL,
	`mime_type` text NOT NULL,
	`byte_size` integer NOT NULL,
	`width` integer,
	`height` integer,
	`duration` real,
	`file_key` text,
	`web_url` text,
	`web_embed` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "library_items_kind" CHECK(kind IN ('image', 'video', 'audio', 'pdf', 'model', 'web')),
	CONSTRAINT "library_items_file_or_web" CHECK((kind = 'web') = (file_key IS NULL) AND (kind = 'web') = (web_url IS NOT NULL)),
	CONSTRAINT "library_items_size" CHECK(byte_size >= 0),
	CONSTRAINT "library_items_embed" CHECK(web_embed IS NULL OR json_valid(web_embed))
);
--> statement-breakpoint
CREATE INDEX `library_items_owner` ON `library_items` (`owner_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `library_items_folder` ON `library_items` (`folder_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `library_items_group` ON `library_items` (`group_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `library_items_file` ON `library_items` (`file_key`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`user_agent` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `space_files` (
	`space_id` text NOT NULL,
	`library_item_id` text NOT NULL,
	PRIMARY KEY(`space_id`, `library_item_id`),
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`library_item_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `space_files_item` ON `space_files` (`library_item_id`);--> statement-breakpoint
CREATE TABLE `spaces` (
	`id` text PRIMARY KEY NOT NULL,
	`folder_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`group_id` text,
	`name` text NOT NULL,
	`search_key` text NOT NULL,
	`sid` text NOT NULL,
	`source` text NOT NULL,
	`poster_media_id` text,
	`event_count` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`poster_media_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "spaces_name" CHECK(length(name) BETWEEN 1 AND 64),
	CONSTRAINT "spaces_sid" CHECK(length(sid) = 11),
	CONSTRAINT "spaces_source" CHECK(json_valid(source)),
	CONSTRAINT "spaces_counter" CHECK(event_count >= 0)
);
--> statement-breakpoint
CREATE INDEX `spaces_owner` ON `spaces` (`owner_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `spaces_folder` ON `spaces` (`folder_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `spaces_group` ON `spaces` (`group_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `spaces_poster` ON `spaces` (`poster_media_id`) WHERE poster_media_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tag_media` (
	`tag_id` text NOT NULL,
	`media_id` text NOT NULL,
	`sort_order` integer NOT NULL,
	PRIMARY KEY(`tag_id`, `media_id`),
	FOREIGN KEY (`tag_id`) REFERENCES `event_tags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `event_media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tag_media_media` ON `tag_media` (`media_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`company_name` text NOT NULL,
	`search_key` text NOT NULL,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`space_license` integer NOT NULL,
	`space_count` integer DEFAULT 0 NOT NULL,
	`storage_limit` integer NOT NULL,
	`storage_used` integer DEFAULT 0 NOT NULL,
	`language` text NOT NULL,
	`time_zone` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	CONSTRAINT "users_role" CHECK(role IN ('admin', 'user')),
	CONSTRAINT "users_status" CHECK(status IN ('BLOCKED', 'DISAPPROVED', 'EMAIL_UNVERIFIED', 'EMAIL_VERIFIED', 'ACTIVATED')),
	CONSTRAINT "users_language" CHECK(language IN ('ja', 'en')),
	CONSTRAINT "users_limits" CHECK(space_license >= 0 AND storage_limit >= 0),
	CONSTRAINT "users_counters" CHECK(space_count >= 0 AND storage_used >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `users_newest` ON `users` (`created_at`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `visits` (
	`id` integer PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`mode` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text,
	`visitor_key` text NOT NULL,
	`occurred_at` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "visits_mode" CHECK(mode IN ('preview', 'published')),
	CONSTRAINT "visits_kind" CHECK(kind IN ('visit', 'tag', 'media', 'product', 'cart', 'checkout'))
);
--> statement-breakpoint
CREATE INDEX `visits_event` ON `visits` (`event_id`,`kind`,`occurred_at`);