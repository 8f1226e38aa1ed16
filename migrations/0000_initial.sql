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
	`deletion_requested_at` text,
	`status_mails` integer DEFAULT false NOT NULL,
	`content_used` integer DEFAULT 0 NOT NULL,
	`trash_used` integer DEFAULT 0 NOT NULL,
	`event_count` integer DEFAULT 0 NOT NULL,
	`media_count` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "users_role" CHECK(role IN ('admin', 'user')),
	CONSTRAINT "users_status" CHECK(status IN ('BLOCKED', 'DISAPPROVED', 'EMAIL_UNVERIFIED', 'EMAIL_VERIFIED', 'ACTIVATED')),
	CONSTRAINT "users_language" CHECK(language IN ('ja', 'en')),
	CONSTRAINT "users_limits" CHECK(space_license >= 0 AND storage_limit >= 0),
	CONSTRAINT "users_counters" CHECK(space_count >= 0 AND storage_used >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email_key`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_by_created` ON `users` (created_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (search_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_by_company` ON `users` (lower(company_name) || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (email_key || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_of_created` ON `users` (`role`,`status`,created_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_of_name` ON `users` (`role`,`status`,search_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_of_company` ON `users` (`role`,`status`,lower(company_name) || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_of_email` ON `users` (`role`,`status`,email_key || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `users_asked` ON `users` (deletion_requested_at || id) WHERE deleted_at IS NULL AND deletion_requested_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `users_trash` ON `users` (deleted_at || id) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
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
CREATE UNIQUE INDEX `user_docs_user` ON `user_docs` (`user_id`);
--> statement-breakpoint
CREATE TABLE `user_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`file_name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`done_at` text,
	`claimed_until` text,
	`results` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "user_imports_json" CHECK(json_valid(plan))
);
--> statement-breakpoint
CREATE INDEX `user_imports_actor` ON `user_imports` (`actor_id`);
--> statement-breakpoint
CREATE INDEX `user_imports_expiry` ON `user_imports` (`expires_at`);
--> statement-breakpoint
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
	`owner_id` text REFERENCES users(id) ON DELETE cascade,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "imports_kind" CHECK(kind IN ('tags', 'package')),
	CONSTRAINT "imports_json" CHECK(json_valid(parts) AND json_valid(detail))
);
--> statement-breakpoint
CREATE INDEX `imports_actor` ON `imports` (`actor_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `imports_expiry` ON `imports` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `imports_owner` ON `imports` (`owner_id`);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`user_agent` text NOT NULL,
	`authenticated_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `user_links` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`email` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`used_at` text,
	`activates` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "user_links_purpose" CHECK(purpose IN ('reset', 'invitation', 'email'))
);
--> statement-breakpoint
CREATE INDEX `user_links_user` ON `user_links` (`user_id`,`purpose`);
--> statement-breakpoint
CREATE INDEX `user_links_expiry` ON `user_links` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passkeys_name" CHECK(length(name) BETWEEN 1 AND 64),
	CONSTRAINT "passkeys_json" CHECK(json_valid(transports))
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);
--> statement-breakpoint
CREATE TABLE `passkey_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkey_challenges_expiry` ON `passkey_challenges` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `passkey_challenges_user` ON `passkey_challenges` (`user_id`);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_counter` integer NOT NULL,
	`recovery_codes` text NOT NULL,
	`created_at` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`blocked_until` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "second_factors_json" CHECK(json_valid(recovery_codes))
);
--> statement-breakpoint
CREATE TABLE `second_factor_resets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	`revoked_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "access_tokens_name" CHECK(length(name) BETWEEN 1 AND 64),
	CONSTRAINT "access_tokens_json" CHECK(json_valid(scopes))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_hash` ON `access_tokens` (`hash`);
--> statement-breakpoint
CREATE INDEX `access_tokens_user` ON `access_tokens` (`user_id`,created_at || id);
--> statement-breakpoint
CREATE INDEX `access_tokens_expiry` ON `access_tokens` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`space_id` text,
	`event_id` text,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`disabled_at` text,
	`disabled_why` text,
	`failing_since` text,
	`older_secrets` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhooks_json" CHECK(json_valid(types)),
	CONSTRAINT "webhooks_disabled" CHECK((disabled_at IS NULL) = (disabled_why IS NULL)),
	CONSTRAINT "webhooks_why" CHECK(disabled_why IS NULL OR disabled_why IN ('paused', 'failing', 'gone'))
);
--> statement-breakpoint
CREATE INDEX `webhooks_user` ON `webhooks` (`user_id`,created_at || id);
--> statement-breakpoint
CREATE INDEX `webhooks_space` ON `webhooks` (`space_id`) WHERE space_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhooks_event` ON `webhooks` (`event_id`) WHERE event_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `webhook_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text,
	`type` text NOT NULL,
	`at` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`body` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` text NOT NULL,
	`claimed_until` text,
	`log` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_messages_state" CHECK(state IN ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_messages_log" CHECK(json_valid(log))
);
--> statement-breakpoint
CREATE INDEX `webhook_messages_webhook` ON `webhook_messages` (`webhook_id`,at || id);
--> statement-breakpoint
CREATE INDEX `webhook_messages_age` ON `webhook_messages` (`at`);
--> statement-breakpoint
CREATE INDEX `webhook_messages_next` ON `webhook_messages` (`webhook_id`,`next_at`) WHERE state = 'waiting';
--> statement-breakpoint
CREATE INDEX `webhook_messages_held` ON `webhook_messages` (`webhook_id`) WHERE claimed_until IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhook_messages_last` ON `webhook_messages` (`webhook_id`,`event_id`,`type`,`at`);
--> statement-breakpoint
CREATE TABLE `log_in_guesses` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`hour` integer NOT NULL,
	`day` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `log_in_guesses_age` ON `log_in_guesses` (`last_at`);
--> statement-breakpoint
CREATE TABLE `log_in_networks` (
	`user_id` text NOT NULL,
	`network` text NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `network`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `log_in_networks_age` ON `log_in_networks` (`last_at`);
--> statement-breakpoint
CREATE TABLE `kept_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`asked` text NOT NULL,
	`began_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`answer` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `kept_answers_expiry` ON `kept_answers` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `kept_answers_user` ON `kept_answers` (`user_id`);
--> statement-breakpoint
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text
,
	`member_count` integer DEFAULT 0 NOT NULL,
	`name_key` text DEFAULT '' NOT NULL);
--> statement-breakpoint
CREATE INDEX `groups_newest` ON `groups` (created_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `groups_trash` ON `groups` (deleted_at || id) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `groups_name` ON `groups` (`name_key`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE TABLE `group_members` (
	`group_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `group_members_user` ON `group_members` (`user_id`);
--> statement-breakpoint
CREATE INDEX `group_members_newest` ON `group_members` (`group_id`,created_at || user_id);
--> statement-breakpoint
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
	`deleted_with` text,
	`search_key` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`parent_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "folders_type" CHECK(folder_type IN ('space', 'media')),
	CONSTRAINT "folders_name" CHECK(length(name) <= 64 AND (parent_id IS NULL) = (name = ''))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `folders_root` ON `folders` (`owner_id`,`folder_type`) WHERE parent_id IS NULL AND deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `folders_owner` ON `folders` (`owner_id`,`folder_type`);
--> statement-breakpoint
CREATE INDEX `folders_group` ON `folders` (`group_id`);
--> statement-breakpoint
CREATE INDEX `folders_in_folder_by_name` ON `folders` (`parent_id`,search_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `folders_in_folder_by_created` ON `folders` (`parent_id`,created_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `folders_in_folder_by_updated` ON `folders` (`parent_id`,updated_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `folders_folder` ON `folders` (`parent_id`);
--> statement-breakpoint
CREATE INDEX `folders_trash` ON `folders` (`owner_id`,deleted_at || id) WHERE deleted_at IS NOT NULL AND deleted_with = id;
--> statement-breakpoint
CREATE INDEX `folders_expired` ON `folders` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `folders_deleted_with` ON `folders` (`deleted_with`) WHERE deleted_with IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `folders_shared_by_name` ON `folders` (`parent_id`,`group_id`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `folders_shared_by_created` ON `folders` (`parent_id`,`group_id`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `folders_shared_by_updated` ON `folders` (`parent_id`,`group_id`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
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
	`deleted_with` text,
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
CREATE INDEX `spaces_owner` ON `spaces` (`owner_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `spaces_group` ON `spaces` (`group_id`) WHERE group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `spaces_poster` ON `spaces` (`poster_media_id`) WHERE poster_media_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `spaces_in_folder_by_name` ON `spaces` (`folder_id`,search_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `spaces_in_folder_by_created` ON `spaces` (`folder_id`,created_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `spaces_in_folder_by_updated` ON `spaces` (`folder_id`,updated_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `spaces_trash` ON `spaces` (`owner_id`,deleted_at || id) WHERE deleted_at IS NOT NULL AND deleted_with = id;
--> statement-breakpoint
CREATE INDEX `spaces_expired` ON `spaces` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `spaces_deleted_with` ON `spaces` (`deleted_with`) WHERE deleted_with IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `spaces_folder` ON `spaces` (`folder_id`);
--> statement-breakpoint
CREATE INDEX `spaces_shared_by_name` ON `spaces` (`folder_id`,`group_id`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `spaces_shared_by_created` ON `spaces` (`folder_id`,`group_id`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `spaces_shared_by_updated` ON `spaces` (`folder_id`,`group_id`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `space_files` (
	`space_id` text NOT NULL,
	`library_item_id` text NOT NULL,
	PRIMARY KEY(`space_id`, `library_item_id`),
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`library_item_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `space_files_item` ON `space_files` (`library_item_id`);
--> statement-breakpoint
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
	`history_from` text,
	`announced_status` integer DEFAULT 1 NOT NULL,
	`content_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "events_status" CHECK(status_id IN (1, 2, 3, 4)),
	CONSTRAINT "events_auto_change" CHECK(enable_auto_change_status IN (0, 1)),
	CONSTRAINT "events_event_name" CHECK(length(event_name) BETWEEN 1 AND 32),
	CONSTRAINT "events_detail" CHECK(length(event_detail) <= 1000),
	CONSTRAINT "events_tokens" CHECK(length(access_token) >= 43 AND length(preview_access_token) >= 43),
	CONSTRAINT "events_url_params" CHECK(json_valid(url_params))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_name` ON `events` (`space_id`,`name_key`) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `events_space` ON `events` (`space_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `events_start` ON `events` (`start_date`) WHERE deleted_at IS NULL AND enable_auto_change_status = 1 AND status_id IN (1, 2);
--> statement-breakpoint
CREATE INDEX `events_end` ON `events` (`end_date`) WHERE deleted_at IS NULL AND enable_auto_change_status = 1 AND status_id IN (1, 2, 3);
--> statement-breakpoint
CREATE INDEX `events_trash` ON `events` (`space_id`,deleted_at || id) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `events_expired` ON `events` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
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
	`hidden` integer DEFAULT false NOT NULL CONSTRAINT "event_tags_hidden" CHECK(hidden IN (0, 1)),
	`product` text CONSTRAINT "event_tags_product" CHECK(product IS NULL OR json_valid(product)),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "event_tags_color" CHECK(color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
	CONSTRAINT "event_tags_json" CHECK(json_valid(keywords) AND json_valid(stem) AND (position IS NULL OR json_valid(position)) AND (viewpoint IS NULL OR json_valid(viewpoint)))
);
--> statement-breakpoint
CREATE INDEX `event_tags_event` ON `event_tags` (`event_id`,`sort_order`,`id`);
--> statement-breakpoint
CREATE INDEX `event_tags_expired` ON `event_tags` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `event_tags_shown` ON `event_tags` (`event_id`,product ->> 'id') WHERE product IS NOT NULL;
--> statement-breakpoint
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
	`hidden` integer DEFAULT false NOT NULL CONSTRAINT "event_media_hidden" CHECK(hidden IN (0, 1)),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`library_item_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "event_media_placement" CHECK(placement IS NULL OR json_valid(placement))
);
--> statement-breakpoint
CREATE INDEX `event_media_event` ON `event_media` (`event_id`,`created_on`,`id`);
--> statement-breakpoint
CREATE INDEX `event_media_item` ON `event_media` (`library_item_id`);
--> statement-breakpoint
CREATE INDEX `event_media_expired` ON `event_media` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `tag_media` (
	`tag_id` text NOT NULL,
	`media_id` text NOT NULL,
	`sort_order` integer NOT NULL,
	PRIMARY KEY(`tag_id`, `media_id`),
	FOREIGN KEY (`tag_id`) REFERENCES `event_tags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`media_id`) REFERENCES `event_media`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tag_media_media` ON `tag_media` (`media_id`);
--> statement-breakpoint
CREATE TABLE `event_scenes` (
	`event_id` text PRIMARY KEY NOT NULL,
	`start_view` text,
	`tour` text DEFAULT '[]' NOT NULL,
	`plan` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`products` text DEFAULT '[]' NOT NULL CONSTRAINT "event_scenes_products" CHECK(json_valid(products)),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "event_scenes_json" CHECK(json_valid(tour) AND (start_view IS NULL OR json_valid(start_view)) AND (plan IS NULL OR json_valid(plan)))
);
--> statement-breakpoint
CREATE TABLE `event_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` text NOT NULL,
	`at` text NOT NULL,
	`actor_id` text,
	`act` text NOT NULL,
	`part` integer NOT NULL,
	`item_type` text NOT NULL,
	`item_id` text NOT NULL,
	`before` text,
	`after` text,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "event_changes_type" CHECK(item_type IN ('tag', 'media', 'scene', 'order', 'event')),
	CONSTRAINT "event_changes_json" CHECK((before IS NULL OR json_valid(before)) AND (after IS NULL OR json_valid(after)))
);
--> statement-breakpoint
CREATE INDEX `event_changes_event` ON `event_changes` (`event_id`,`seq`);
--> statement-breakpoint
CREATE INDEX `event_changes_fields` ON `event_changes` (`event_id`,`seq`) WHERE item_type = 'event';
--> statement-breakpoint
CREATE UNIQUE INDEX `event_changes_act` ON `event_changes` (`act`,`part`);
--> statement-breakpoint
CREATE INDEX `event_changes_marks` ON `event_changes` (`event_id`,`seq`,`item_type`,`item_id`,`at`,`actor_id`,`act`,before IS NULL,after IS NULL);
--> statement-breakpoint
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
	`thumb_key` text,
	`web_url` text,
	`web_embed` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`deleted_at` text,
	`deleted_by` text,
	`deleted_with` text,
	`still_size` integer DEFAULT 0 NOT NULL,
	`prepared_size` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "library_items_kind" CHECK(kind IN ('image', 'video', 'audio', 'pdf', 'model', 'splat', 'subtitle', 'web')),
	CONSTRAINT "library_items_file_or_web" CHECK((kind = 'web') = (file_key IS NULL) AND (kind = 'web') = (web_url IS NOT NULL)),
	CONSTRAINT "library_items_size" CHECK(byte_size >= 0),
	CONSTRAINT "library_items_embed" CHECK(web_embed IS NULL OR json_valid(web_embed))
);
--> statement-breakpoint
CREATE INDEX `library_items_owner` ON `library_items` (`owner_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_name` ON `library_items` (`folder_id`,search_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_created` ON `library_items` (`folder_id`,created_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_updated` ON `library_items` (`folder_id`,updated_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_folder` ON `library_items` (`folder_id`);
--> statement-breakpoint
CREATE INDEX `library_items_trash` ON `library_items` (`owner_id`,deleted_at || id) WHERE deleted_at IS NOT NULL AND deleted_with = id;
--> statement-breakpoint
CREATE INDEX `library_items_expired` ON `library_items` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_deleted_with` ON `library_items` (`deleted_with`) WHERE deleted_with IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_group` ON `library_items` (`group_id`) WHERE group_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `library_items_file` ON `library_items` (`file_key`);
--> statement-breakpoint
CREATE INDEX `library_items_of_kind_by_name` ON `library_items` (`folder_id`,`kind`,search_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_of_kind_by_created` ON `library_items` (`folder_id`,`kind`,created_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_of_kind_by_updated` ON `library_items` (`folder_id`,`kind`,updated_at || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_by_name` ON `library_items` (`folder_id`,`group_id`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_by_created` ON `library_items` (`folder_id`,`group_id`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_by_updated` ON `library_items` (`folder_id`,`group_id`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_of_kind_by_name` ON `library_items` (`folder_id`,`group_id`,`kind`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_of_kind_by_created` ON `library_items` (`folder_id`,`group_id`,`kind`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_of_kind_by_updated` ON `library_items` (`folder_id`,`group_id`,`kind`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `tree_docs` (
	`doc` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tree_docs_item` ON `tree_docs` (`item_id`);
--> statement-breakpoint
CREATE TABLE `stored_files` (
	`file_key` text PRIMARY KEY NOT NULL,
	`edition` integer DEFAULT 0 NOT NULL,
	`overwrites` text DEFAULT '[]' NOT NULL,
	`check_state` text,
	`check_reason` text DEFAULT '' NOT NULL,
	`check_attempts` integer DEFAULT 0 NOT NULL,
	`check_at` text,
	CONSTRAINT "stored_files_overwrites" CHECK(json_valid(overwrites)),
	CONSTRAINT "stored_files_check_state" CHECK(check_state IS NULL OR check_state IN ('waiting', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `stored_files_edition` ON `stored_files` (`edition`);
--> statement-breakpoint
CREATE INDEX `stored_files_check` ON `stored_files` (`check_at`) WHERE check_state = 'waiting';
--> statement-breakpoint
CREATE TABLE `preparations` (
	`item_id` text PRIMARY KEY NOT NULL,
	`file_key` text NOT NULL,
	`state` text NOT NULL,
	`code` text DEFAULT '' NOT NULL,
	`run_id` text,
	`quality` real,
	`facts` text DEFAULT '{}' NOT NULL,
	`tiles` text,
	`lease_id` text,
	`lease_holder` text,
	`lease_actor_id` text,
	`leased_until` text,
	`lease_quality` real,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "preparations_state" CHECK(state IN ('waiting', 'done', 'failed', 'skipped')),
	CONSTRAINT "preparations_facts" CHECK(json_valid(facts))
);
--> statement-breakpoint
CREATE INDEX `preparations_lease` ON `preparations` (`leased_until`) WHERE leased_until IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `prepared_files` (
	`file_key` text PRIMARY KEY NOT NULL,
	`item_id` text NOT NULL,
	`run_id` text NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`mime_type` text NOT NULL,
	`byte_size` integer NOT NULL,
	`width` integer,
	`height` integer,
	`duration` real,
	`multipart_id` text DEFAULT '' NOT NULL,
	`parts` text DEFAULT '{}' NOT NULL,
	`staged_for` text,
	FOREIGN KEY (`item_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "prepared_files_role" CHECK(role IN ('display', 'preview', 'tile')),
	CONSTRAINT "prepared_files_size" CHECK(byte_size > 0)
);
--> statement-breakpoint
CREATE INDEX `prepared_files_run` ON `prepared_files` (`item_id`,`run_id`,`role`);
--> statement-breakpoint
CREATE INDEX `prepared_files_staged` ON `prepared_files` (`staged_for`) WHERE staged_for IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`folder_id` text NOT NULL,
	`replaces_id` text,
	`file_name` text NOT NULL,
	`byte_size` integer NOT NULL,
	`part_size` integer NOT NULL,
	`fingerprint` text DEFAULT '' NOT NULL,
	`file_key` text NOT NULL,
	`multipart_id` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`claimed_until` text,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`replaces_id`) REFERENCES `library_items`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "uploads_size" CHECK(byte_size > 0 AND part_size > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_file` ON `uploads` (`file_key`);
--> statement-breakpoint
CREATE INDEX `uploads_actor` ON `uploads` (`actor_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `uploads_owner` ON `uploads` (`owner_id`);
--> statement-breakpoint
CREATE INDEX `uploads_folder` ON `uploads` (`folder_id`);
--> statement-breakpoint
CREATE INDEX `uploads_replaces` ON `uploads` (`replaces_id`) WHERE replaces_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `uploads_expiry` ON `uploads` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `upload_parts` (
	`upload_id` text NOT NULL,
	`number` integer NOT NULL,
	`etag` text NOT NULL,
	`byte_size` integer NOT NULL,
	PRIMARY KEY(`upload_id`, `number`),
	FOREIGN KEY (`upload_id`) REFERENCES `uploads`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "upload_parts_number" CHECK(number BETWEEN 1 AND 10000)
);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `visit_batches_once` ON `visit_batches` (`event_id`,`visit`,`part`);
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
	`space_id` text,
	PRIMARY KEY(`event_id`, `grain`, `period`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "visit_totals_grain" CHECK(grain IN ('hour', 'day', 'month', 'year')),
	CONSTRAINT "visit_totals_parts" CHECK(json_valid(parts))
);
--> statement-breakpoint
CREATE TABLE `visit_space_totals` (
	`space_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`events` integer NOT NULL,
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
	PRIMARY KEY(`space_id`, `grain`, `period`),
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `visit_account_totals` (
	`owner_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`spaces` integer NOT NULL,
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
	PRIMARY KEY(`owner_id`, `grain`, `period`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `visit_account_totals_none` ON `visit_account_totals` (`owner_id`) WHERE spaces = 0;
--> statement-breakpoint
CREATE TABLE `visit_ranks` (
	`event_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`visits` integer NOT NULL,
	`space_id` text,
	`owner_id` text,
	PRIMARY KEY(`event_id`, `grain`, `period`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `visit_ranks_of_space` ON `visit_ranks` (`space_id`,`grain`,`period`,`visits`,`event_id`) WHERE space_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `visit_ranks_of_account` ON `visit_ranks` (`owner_id`,`grain`,`period`,`visits`,`event_id`) WHERE owner_id IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `visit_live` (
	`minute` integer NOT NULL,
	`event_id` text NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`minute`, `event_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `visit_space_live` (
	`space_id` text NOT NULL,
	`minute` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`space_id`, `minute`),
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `visit_space_live_minute` ON `visit_space_live` (`minute`);
--> statement-breakpoint
CREATE TABLE `visit_account_live` (
	`owner_id` text NOT NULL,
	`minute` integer NOT NULL,
	`visitors` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `minute`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `visit_account_live_minute` ON `visit_account_live` (`minute`);
--> statement-breakpoint
CREATE TABLE `visit_products` (
	`event_id` text NOT NULL,
	`number` text NOT NULL,
	`lang` text NOT NULL,
	`title` text NOT NULL,
	PRIMARY KEY(`event_id`, `number`, `lang`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
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
--> statement-breakpoint
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
CREATE INDEX `status_mails_due` ON `status_mails` (`next_at`) WHERE next_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `status_mails_event` ON `status_mails` (`event_id`);
--> statement-breakpoint
CREATE TABLE `visit_erasures` (
	`event_id` text PRIMARY KEY NOT NULL,
	`before` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`detail` text NOT NULL,
	`subject_id` text,
	`credential` text,
	`network` text,
	CONSTRAINT "audit_detail" CHECK(json_valid(detail))
);
--> statement-breakpoint
CREATE INDEX `audit_resource` ON `audit` (`resource_type`,`resource_id`,at || id);
--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,at || id);
--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit` (`action`,at || id);
--> statement-breakpoint
CREATE INDEX `audit_kind` ON `audit` (`resource_type`,at || id);
--> statement-breakpoint
CREATE INDEX `audit_newest` ON `audit` (at || id);
--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit` (`subject_id`,at || id) WHERE subject_id IS NOT NULL;
--> statement-breakpoint
-- The search of users: a full-text table over pairs of characters of search_key, each written as the hexadecimal digits of its
-- UTF-8 bytes, so that any part of a name is found in any script. A phrase of neighbouring pairs is a substring. The last pair
-- is a single character. json_each over a list of as many zeros as there are characters counts the positions.
CREATE VIRTUAL TABLE user_search USING fts5(grams, facets, content='', contentless_delete=1, tokenize='ascii', prefix='2 4 6 8');
--> statement-breakpoint
-- The search of folders, spaces and library items: pairs of characters of search_key as in user_search, with katakana written as
-- hiragana, so that each is found by the other. It is done here because search_key is also used for sorting. Items in the trash and
-- root folders, which have no name, are not in the table.
CREATE VIRTUAL TABLE tree_search USING fts5(grams, facets, content='', contentless_delete=1, tokenize='ascii', prefix='2 4 6 8');
--> statement-breakpoint
-- The webhooks that receive an event's messages: those of the owner of its space, while the account may log in. Each row has an id
-- for a message.
CREATE VIEW event_receivers AS
SELECT events.id AS event_id, events.space_id, events.deleted_at, spaces.deleted_at AS space_deleted_at, webhooks.id AS webhook_id, webhooks.types,
  lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) AS message_id
FROM events
JOIN spaces ON spaces.id = events.space_id
JOIN users ON users.id = spaces.owner_id AND users.status = 'ACTIVATED' AND users.deleted_at IS NULL
JOIN webhooks ON webhooks.user_id = spaces.owner_id AND webhooks.disabled_at IS NULL
  AND (webhooks.space_id IS NULL OR webhooks.space_id = spaces.id) AND (webhooks.event_id IS NULL OR webhooks.event_id = events.id);
--> statement-breakpoint
-- The triggers below maintain what must hold whichever statement writes: counters, the revisions of events, the files of spaces,
-- the searches and the totals of visits.

-- Visitors' pages show an event's dates in its owner's time zone: a change of the zone changes the pages.
CREATE TRIGGER users_time_zone_changed
AFTER UPDATE OF time_zone ON users
WHEN NEW.time_zone IS NOT OLD.time_zone
BEGIN
  UPDATE events SET revision = revision + 1
  WHERE space_id IN (SELECT id FROM spaces WHERE owner_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER users_added AFTER INSERT ON users BEGIN
  INSERT INTO user_docs (user_id) VALUES (NEW.id);
  INSERT INTO user_counts (role, status, total) SELECT NEW.role, NEW.status, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT (role, status) DO UPDATE SET total = total + 1;
  INSERT INTO user_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(substr(NEW.search_key, key + 1, 2)), ' ' ORDER BY key)
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')),
    'role' || NEW.role || ' status' || lower(replace(NEW.status, '_', ''))
  FROM user_docs WHERE user_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
-- Runs before the deletion, which also deletes the number that it reads.
CREATE TRIGGER users_removed BEFORE DELETE ON users BEGIN
  UPDATE user_counts SET total = total - 1 WHERE role = OLD.role AND status = OLD.status AND OLD.deleted_at IS NULL;
  UPDATE groups SET member_count = member_count - 1
    WHERE id IN (SELECT group_id FROM group_members WHERE user_id = OLD.id) AND OLD.deleted_at IS NULL;
  DELETE FROM user_search WHERE rowid IN (SELECT doc FROM user_docs WHERE user_id = OLD.id);
END;
--> statement-breakpoint
CREATE TRIGGER users_moved AFTER UPDATE OF role, status, deleted_at ON users
WHEN OLD.role <> NEW.role OR OLD.status <> NEW.status OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE user_counts SET total = total - 1 WHERE role = OLD.role AND status = OLD.status AND OLD.deleted_at IS NULL;
  INSERT INTO user_counts (role, status, total) SELECT NEW.role, NEW.status, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT (role, status) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_found AFTER UPDATE OF role, status, deleted_at, search_key ON users
WHEN OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.search_key <> NEW.search_key
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  DELETE FROM user_search WHERE rowid IN (SELECT doc FROM user_docs WHERE user_id = NEW.id);
  INSERT INTO user_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(substr(NEW.search_key, key + 1, 2)), ' ' ORDER BY key)
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')),
    'role' || NEW.role || ' status' || lower(replace(NEW.status, '_', ''))
  FROM user_docs WHERE user_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER users_left AFTER UPDATE OF deleted_at ON users
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE groups SET member_count = member_count + iif(NEW.deleted_at IS NULL, 1, -1)
    WHERE id IN (SELECT group_id FROM group_members WHERE user_id = NEW.id);
END;
--> statement-breakpoint
-- The links of an account that is deleted are closed, and open again when it is restored: a change of the state changes the pages.
CREATE TRIGGER users_closed
AFTER UPDATE OF deleted_at ON users
WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)
BEGIN
  UPDATE events SET revision = revision + 1
  WHERE space_id IN (SELECT id FROM spaces WHERE owner_id = NEW.id);
END;
--> statement-breakpoint
-- Tokens end as sessions do: with a new password, and when the account may no longer log in.
CREATE TRIGGER users_tokens_end AFTER UPDATE OF password_hash, status, deleted_at ON users
WHEN NEW.password_hash <> OLD.password_hash OR NEW.status <> 'ACTIVATED' OR NEW.deleted_at IS NOT NULL BEGIN
  UPDATE access_tokens SET revoked_at = NEW.updated_at WHERE user_id = NEW.id AND revoked_at IS NULL AND expires_at > NEW.updated_at;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_added AFTER INSERT ON group_members BEGIN
  UPDATE groups SET member_count = member_count + 1 WHERE id = NEW.group_id
    AND EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER group_members_removed AFTER DELETE ON group_members BEGIN
  UPDATE groups SET member_count = member_count - 1 WHERE id = OLD.group_id
    AND EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND deleted_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER folders_numbered AFTER INSERT ON folders WHEN NEW.parent_id IS NOT NULL BEGIN
  INSERT INTO tree_docs (item_id) VALUES (NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'tree' || NEW.folder_type || ' kindfolder owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER folders_found AFTER UPDATE OF search_key, owner_id, group_id, deleted_at ON folders
WHEN NEW.parent_id IS NOT NULL AND (OLD.search_key <> NEW.search_key OR OLD.owner_id <> NEW.owner_id OR OLD.group_id IS NOT NEW.group_id
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'tree' || NEW.folder_type || ' kindfolder owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER folders_unnumbered AFTER DELETE ON folders BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = OLD.id);
  DELETE FROM tree_docs WHERE item_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_added AFTER INSERT ON spaces BEGIN
  UPDATE users SET space_count = space_count + 1 WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, value FROM json_tree(NEW.source) WHERE key = 'mediaId' AND type = 'text';
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, NEW.poster_media_id WHERE NEW.poster_media_id IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_removed AFTER DELETE ON spaces WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE users SET space_count = space_count - 1 WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE users SET space_count = space_count - 1 WHERE id = OLD.owner_id AND OLD.deleted_at IS NULL;
  UPDATE users SET space_count = space_count + 1 WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_files AFTER UPDATE OF source, poster_media_id ON spaces
WHEN OLD.source IS NOT NEW.source OR OLD.poster_media_id IS NOT NEW.poster_media_id BEGIN
  DELETE FROM space_files WHERE space_id = NEW.id;
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, value FROM json_tree(NEW.source) WHERE key = 'mediaId' AND type = 'text';
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, NEW.poster_media_id WHERE NEW.poster_media_id IS NOT NULL;
END;
--> statement-breakpoint
-- Ignores event_count, which changes with every event.
CREATE TRIGGER spaces_changed AFTER UPDATE OF owner_id, group_id, name, sid, source, poster_media_id, version, deleted_at ON spaces BEGIN
  UPDATE events SET revision = revision + 1 WHERE space_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_numbered AFTER INSERT ON spaces BEGIN
  INSERT INTO tree_docs (item_id) VALUES (NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treespace kindspace owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_found AFTER UPDATE OF search_key, owner_id, group_id, deleted_at ON spaces
WHEN OLD.search_key <> NEW.search_key OR OLD.owner_id <> NEW.owner_id OR OLD.group_id IS NOT NEW.group_id
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treespace kindspace owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_unnumbered AFTER DELETE ON spaces BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = OLD.id);
  DELETE FROM tree_docs WHERE item_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_binned AFTER UPDATE OF deleted_at ON spaces WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, event_id, type, NEW.updated_at, NEW.updated_at
  FROM event_receivers CROSS JOIN (SELECT iif(NEW.deleted_at IS NULL, 'event.restored', 'event.deleted') AS type)
  WHERE space_id = NEW.id AND deleted_at IS NULL AND instr(types, '"' || type || '"') > 0;
END;
--> statement-breakpoint
-- Moves the ranks of the space's events that are not in the trash.
CREATE TRIGGER spaces_ranks_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_ranks SET owner_id = iif(NEW.deleted_at IS NULL, NEW.owner_id, NULL) WHERE space_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_visits_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_account_totals SET
    spaces = visit_account_totals.spaces - 1, visits = visit_account_totals.visits - t.visits,
    visitors = visit_account_totals.visitors - t.visitors, seconds = visit_account_totals.seconds - t.seconds,
    tags = visit_account_totals.tags - t.tags, media = visit_account_totals.media - t.media,
    products = visit_account_totals.products - t.products, carts = visit_account_totals.carts - t.carts,
    checkouts = visit_account_totals.checkouts - t.checkouts, tag_visitors = visit_account_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_account_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_account_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_account_totals.checkout_visitors - t.checkout_visitors
    FROM visit_space_totals t WHERE t.space_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_account_totals.owner_id = OLD.owner_id AND visit_account_totals.grain = t.grain AND visit_account_totals.period = t.period;
  DELETE FROM visit_account_totals WHERE owner_id = OLD.owner_id AND spaces = 0;
  INSERT INTO visit_account_totals (
    owner_id, grain, period, spaces, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
    cart_visitors, checkout_visitors
  ) SELECT NEW.owner_id, grain, period, 1,
    visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
    FROM visit_space_totals WHERE space_id = NEW.id AND NEW.deleted_at IS NULL
  ON CONFLICT (owner_id, grain, period) DO UPDATE SET
    spaces = spaces + excluded.spaces, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media, products = products + excluded.products,
    carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts, tag_visitors = tag_visitors + excluded.tag_visitors,
    product_visitors = product_visitors + excluded.product_visitors, cart_visitors = cart_visitors + excluded.cart_visitors,
    checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
-- Runs before the deletion, after which the owner of the space's numbers is unknown.
CREATE TRIGGER spaces_visits_removed BEFORE DELETE ON spaces WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_account_totals SET
    spaces = visit_account_totals.spaces - 1, visits = visit_account_totals.visits - t.visits,
    visitors = visit_account_totals.visitors - t.visitors, seconds = visit_account_totals.seconds - t.seconds,
    tags = visit_account_totals.tags - t.tags, media = visit_account_totals.media - t.media,
    products = visit_account_totals.products - t.products, carts = visit_account_totals.carts - t.carts,
    checkouts = visit_account_totals.checkouts - t.checkouts, tag_visitors = visit_account_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_account_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_account_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_account_totals.checkout_visitors - t.checkout_visitors
    FROM visit_space_totals t WHERE t.space_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_account_totals.owner_id = OLD.owner_id AND visit_account_totals.grain = t.grain AND visit_account_totals.period = t.period;
  DELETE FROM visit_account_totals WHERE owner_id = OLD.owner_id AND spaces = 0;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_live_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_account_live SET visitors = visit_account_live.visitors - v.visitors
    FROM visit_space_live v WHERE OLD.deleted_at IS NULL AND visit_account_live.owner_id = OLD.owner_id
      AND v.minute = visit_account_live.minute AND v.space_id = OLD.id;
  INSERT INTO visit_account_live (owner_id, minute, visitors)
    SELECT NEW.owner_id, minute, visitors FROM visit_space_live WHERE space_id = NEW.id AND NEW.deleted_at IS NULL
  ON CONFLICT (owner_id, minute) DO UPDATE SET visitors = visitors + excluded.visitors;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_live_removed BEFORE DELETE ON spaces WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_account_live SET visitors = visit_account_live.visitors - v.visitors
    FROM visit_space_live v WHERE OLD.deleted_at IS NULL AND visit_account_live.owner_id = OLD.owner_id
      AND v.minute = visit_account_live.minute AND v.space_id = OLD.id;
END;
--> statement-breakpoint
-- Runs before the deletion, because events that are deleted with their space no longer find its owner.
CREATE TRIGGER spaces_bytes_removed BEFORE DELETE ON spaces BEGIN
  UPDATE users SET event_count = event_count - (SELECT count(*) FROM events WHERE space_id = OLD.id), content_used = content_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0),
    storage_used = storage_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0) WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_bytes_moved AFTER UPDATE OF owner_id ON spaces WHEN OLD.owner_id <> NEW.owner_id BEGIN
  UPDATE users SET event_count = event_count - (SELECT count(*) FROM events WHERE space_id = OLD.id), content_used = content_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0),
    storage_used = storage_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0) WHERE id = OLD.owner_id;
  UPDATE users SET event_count = event_count + (SELECT count(*) FROM events WHERE space_id = OLD.id), content_used = content_used + coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0),
    storage_used = storage_used + coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0) WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_added AFTER INSERT ON events WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE spaces SET event_count = event_count + 1 WHERE id = NEW.space_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_removed AFTER DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE spaces SET event_count = event_count - 1 WHERE id = OLD.space_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE spaces SET event_count = event_count - 1 WHERE id = OLD.space_id AND OLD.deleted_at IS NULL;
  UPDATE spaces SET event_count = event_count + 1 WHERE id = NEW.space_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
-- The public link opens or closes: one message for each time, whichever statement stores it, and however often.
CREATE TRIGGER events_announced AFTER UPDATE OF announced_status ON events
WHEN NEW.announced_status <> OLD.announced_status AND (NEW.announced_status IN (3, 4) OR OLD.announced_status = 3) BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, NEW.id, type, NEW.updated_at, NEW.updated_at
  FROM event_receivers CROSS JOIN (SELECT iif(NEW.announced_status = 3, 'event.published', 'event.closed') AS type)
  WHERE event_id = NEW.id AND deleted_at IS NULL AND space_deleted_at IS NULL AND instr(types, '"' || type || '"') > 0;
END;
--> statement-breakpoint
CREATE TRIGGER events_made_published AFTER INSERT ON events WHEN NEW.announced_status = 3 AND NEW.deleted_at IS NULL BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, NEW.id, 'event.published', NEW.updated_at, NEW.updated_at
  FROM event_receivers WHERE event_id = NEW.id AND space_deleted_at IS NULL AND instr(types, '"event.published"') > 0;
END;
--> statement-breakpoint
-- The event moves to the trash or back, by itself or with its space.
CREATE TRIGGER events_binned AFTER UPDATE OF deleted_at ON events WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, NEW.id, type, NEW.updated_at, NEW.updated_at
  FROM event_receivers CROSS JOIN (SELECT iif(NEW.deleted_at IS NULL, 'event.restored', 'event.deleted') AS type)
  WHERE event_id = NEW.id AND space_deleted_at IS NULL AND instr(types, '"' || type || '"') > 0;
END;
--> statement-breakpoint
CREATE TRIGGER events_visits_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_space_totals SET
    events = visit_space_totals.events - 1, visits = visit_space_totals.visits - t.visits, visitors = visit_space_totals.visitors - t.visitors,
    seconds = visit_space_totals.seconds - t.seconds, tags = visit_space_totals.tags - t.tags, media = visit_space_totals.media - t.media,
    products = visit_space_totals.products - t.products, carts = visit_space_totals.carts - t.carts,
    checkouts = visit_space_totals.checkouts - t.checkouts, tag_visitors = visit_space_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_space_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_space_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_space_totals.checkout_visitors - t.checkout_visitors
    FROM visit_totals t WHERE t.event_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_space_totals.space_id = OLD.space_id AND visit_space_totals.grain = t.grain AND visit_space_totals.period = t.period;
  DELETE FROM visit_space_totals WHERE space_id = OLD.space_id AND events = 0;
  INSERT INTO visit_space_totals (
      space_id, grain, period, events, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
      cart_visitors, checkout_visitors
  ) SELECT NEW.space_id, grain, period, 1, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
    FROM visit_totals WHERE event_id = NEW.id AND NEW.deleted_at IS NULL
  ON CONFLICT (space_id, grain, period) DO UPDATE SET
    events = events + excluded.events, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media,
    products = products + excluded.products, carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts,
    tag_visitors = tag_visitors + excluded.tag_visitors, product_visitors = product_visitors + excluded.product_visitors,
    cart_visitors = cart_visitors + excluded.cart_visitors, checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
-- Runs before the deletion, after which the space of the event's numbers is unknown.
CREATE TRIGGER events_visits_removed BEFORE DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_space_totals SET
    events = visit_space_totals.events - 1, visits = visit_space_totals.visits - t.visits, visitors = visit_space_totals.visitors - t.visitors,
    seconds = visit_space_totals.seconds - t.seconds, tags = visit_space_totals.tags - t.tags, media = visit_space_totals.media - t.media,
    products = visit_space_totals.products - t.products, carts = visit_space_totals.carts - t.carts,
    checkouts = visit_space_totals.checkouts - t.checkouts, tag_visitors = visit_space_totals.tag_visitors - t.tag_visitors,
    product_visitors = visit_space_totals.product_visitors - t.product_visitors,
    cart_visitors = visit_space_totals.cart_visitors - t.cart_visitors,
    checkout_visitors = visit_space_totals.checkout_visitors - t.checkout_visitors
    FROM visit_totals t WHERE t.event_id = OLD.id AND OLD.deleted_at IS NULL
      AND visit_space_totals.space_id = OLD.space_id AND visit_space_totals.grain = t.grain AND visit_space_totals.period = t.period;
  DELETE FROM visit_space_totals WHERE space_id = OLD.space_id AND events = 0;
END;
--> statement-breakpoint
-- Live minutes are stored under the space, where they cannot be found by the event.
CREATE TRIGGER events_live_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_space_live SET visitors = visit_space_live.visitors - max(v.visitors, 0)
    FROM visit_live v WHERE OLD.deleted_at IS NULL AND visit_space_live.space_id = OLD.space_id
      AND v.minute = visit_space_live.minute AND v.event_id = OLD.id;
  UPDATE visit_space_live SET visitors = visit_space_live.visitors + max(v.visitors, 0)
    FROM visit_live v WHERE NEW.deleted_at IS NULL AND visit_space_live.space_id = NEW.space_id
      AND v.minute = visit_space_live.minute AND v.event_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_live_removed BEFORE DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE visit_space_live SET visitors = visit_space_live.visitors - max(v.visitors, 0)
    FROM visit_live v WHERE visit_space_live.space_id = OLD.space_id
      AND v.minute = visit_space_live.minute AND v.event_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_ranks_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE visit_ranks SET space_id = iif(NEW.deleted_at IS NULL, NEW.space_id, NULL),
    owner_id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL AND NEW.deleted_at IS NULL)
    WHERE event_id = NEW.id;
END;
--> statement-breakpoint
-- The WHEN condition ends the recursion: the update changes the revision itself. The count of bytes is not visible to visitors, so it
-- makes no new revision.
CREATE TRIGGER events_changed AFTER UPDATE ON events WHEN NEW.revision = OLD.revision AND NEW.content_bytes = OLD.content_bytes BEGIN
  UPDATE events SET revision = OLD.revision + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Events in the trash count until they are deleted for good: otherwise deleting and creating in turn would have no limit.
CREATE TRIGGER events_sized AFTER INSERT ON events BEGIN
  UPDATE users SET event_count = event_count + 1 WHERE id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id);
  UPDATE events SET content_bytes = content_bytes + octet_length(NEW.event_detail) + octet_length(NEW.url_params) - 2 WHERE id = NEW.id AND octet_length(NEW.event_detail) + octet_length(NEW.url_params) - 2 > 0;
END;
--> statement-breakpoint
CREATE TRIGGER events_resized AFTER UPDATE OF event_detail, url_params ON events
WHEN OLD.event_detail <> NEW.event_detail OR OLD.url_params <> NEW.url_params BEGIN
  UPDATE events SET content_bytes = content_bytes + (octet_length(NEW.event_detail) + octet_length(NEW.url_params) - 2) - (octet_length(OLD.event_detail) + octet_length(OLD.url_params) - 2) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_bytes_changed AFTER UPDATE OF content_bytes ON events WHEN OLD.content_bytes <> NEW.content_bytes AND OLD.space_id = NEW.space_id BEGIN
  UPDATE users SET content_used = content_used + NEW.content_bytes - OLD.content_bytes,
    storage_used = storage_used + NEW.content_bytes - OLD.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id);
END;
--> statement-breakpoint
CREATE TRIGGER events_bytes_moved AFTER UPDATE OF space_id ON events WHEN OLD.space_id <> NEW.space_id BEGIN
  UPDATE users SET event_count = event_count - 1, content_used = content_used - OLD.content_bytes,
    storage_used = storage_used - OLD.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id);
  UPDATE users SET event_count = event_count + 1, content_used = content_used + NEW.content_bytes,
    storage_used = storage_used + NEW.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id);
END;
--> statement-breakpoint
CREATE TRIGGER events_bytes_removed BEFORE DELETE ON events BEGIN
  UPDATE users SET event_count = event_count - 1, content_used = content_used - OLD.content_bytes,
    storage_used = storage_used - OLD.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_changed AFTER UPDATE ON event_tags BEGIN
  UPDATE events SET revision = revision + 1 WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_removed AFTER DELETE ON event_tags BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_added AFTER INSERT ON event_tags BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.body_ja) + octet_length(NEW.body_en) + octet_length(NEW.icon) + octet_length(NEW.keywords) + coalesce(octet_length(NEW.link_url), 0) + coalesce(octet_length(NEW.position), 0) + octet_length(NEW.stem) + coalesce(octet_length(NEW.viewpoint), 0) + coalesce(octet_length(NEW.product), 0) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_resized AFTER UPDATE OF title_ja, title_en, body_ja, body_en, icon, keywords, link_url, position, stem, viewpoint, product ON event_tags WHEN 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.body_ja) + octet_length(NEW.body_en) + octet_length(NEW.icon) + octet_length(NEW.keywords) + coalesce(octet_length(NEW.link_url), 0) + coalesce(octet_length(NEW.position), 0) + octet_length(NEW.stem) + coalesce(octet_length(NEW.viewpoint), 0) + coalesce(octet_length(NEW.product), 0) <> 200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.body_ja) + octet_length(OLD.body_en) + octet_length(OLD.icon) + octet_length(OLD.keywords) + coalesce(octet_length(OLD.link_url), 0) + coalesce(octet_length(OLD.position), 0) + octet_length(OLD.stem) + coalesce(octet_length(OLD.viewpoint), 0) + coalesce(octet_length(OLD.product), 0) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.body_ja) + octet_length(NEW.body_en) + octet_length(NEW.icon) + octet_length(NEW.keywords) + coalesce(octet_length(NEW.link_url), 0) + coalesce(octet_length(NEW.position), 0) + octet_length(NEW.stem) + coalesce(octet_length(NEW.viewpoint), 0) + coalesce(octet_length(NEW.product), 0)) - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.body_ja) + octet_length(OLD.body_en) + octet_length(OLD.icon) + octet_length(OLD.keywords) + coalesce(octet_length(OLD.link_url), 0) + coalesce(octet_length(OLD.position), 0) + octet_length(OLD.stem) + coalesce(octet_length(OLD.viewpoint), 0) + coalesce(octet_length(OLD.product), 0)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_unsized AFTER DELETE ON event_tags BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.body_ja) + octet_length(OLD.body_en) + octet_length(OLD.icon) + octet_length(OLD.keywords) + coalesce(octet_length(OLD.link_url), 0) + coalesce(octet_length(OLD.position), 0) + octet_length(OLD.stem) + coalesce(octet_length(OLD.viewpoint), 0) + coalesce(octet_length(OLD.product), 0)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_media_changed AFTER UPDATE ON event_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_media_removed AFTER DELETE ON event_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_media_added AFTER INSERT ON event_media BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.description_ja) + octet_length(NEW.description_en) + coalesce(octet_length(NEW.placement), 0) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_media_resized AFTER UPDATE OF title_ja, title_en, description_ja, description_en, placement ON event_media WHEN 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.description_ja) + octet_length(NEW.description_en) + coalesce(octet_length(NEW.placement), 0) <> 200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.description_ja) + octet_length(OLD.description_en) + coalesce(octet_length(OLD.placement), 0) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.description_ja) + octet_length(NEW.description_en) + coalesce(octet_length(NEW.placement), 0)) - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.description_ja) + octet_length(OLD.description_en) + coalesce(octet_length(OLD.placement), 0)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_media_unsized AFTER DELETE ON event_media BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.description_ja) + octet_length(OLD.description_en) + coalesce(octet_length(OLD.placement), 0)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER tag_media_checked BEFORE INSERT ON tag_media BEGIN
  SELECT RAISE(ABORT, 'a tag shows media of its own event only')
  WHERE (SELECT event_id FROM event_tags WHERE id = NEW.tag_id)
    IS NOT (SELECT event_id FROM event_media WHERE id = NEW.media_id);
END;
--> statement-breakpoint
CREATE TRIGGER tag_media_changed AFTER UPDATE ON tag_media BEGIN
  UPDATE events SET revision = revision + 1
  WHERE id IN (SELECT event_id FROM event_tags WHERE id IN (OLD.tag_id, NEW.tag_id));
END;
--> statement-breakpoint
CREATE TRIGGER tag_media_removed AFTER DELETE ON tag_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = (SELECT event_id FROM event_tags WHERE id = OLD.tag_id);
END;
--> statement-breakpoint
CREATE TRIGGER tag_media_added AFTER INSERT ON tag_media BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 100 WHERE id = (SELECT event_id FROM event_tags WHERE id = NEW.tag_id);
END;
--> statement-breakpoint
-- The tag or the medium may already be deleted when the row is deleted with it.
CREATE TRIGGER tag_media_unsized AFTER DELETE ON tag_media BEGIN
  UPDATE events SET content_bytes = content_bytes - 100
  WHERE id = coalesce((SELECT event_id FROM event_tags WHERE id = OLD.tag_id), (SELECT event_id FROM event_media WHERE id = OLD.media_id));
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_changed AFTER UPDATE ON event_scenes BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_removed AFTER DELETE ON event_scenes BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_added AFTER INSERT ON event_scenes BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 200 + coalesce(octet_length(NEW.start_view), 0) + octet_length(NEW.tour) + coalesce(octet_length(NEW.plan), 0) + octet_length(NEW.products) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_resized AFTER UPDATE OF start_view, tour, plan, products ON event_scenes WHEN 200 + coalesce(octet_length(NEW.start_view), 0) + octet_length(NEW.tour) + coalesce(octet_length(NEW.plan), 0) + octet_length(NEW.products) <> 200 + coalesce(octet_length(OLD.start_view), 0) + octet_length(OLD.tour) + coalesce(octet_length(OLD.plan), 0) + octet_length(OLD.products) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + coalesce(octet_length(NEW.start_view), 0) + octet_length(NEW.tour) + coalesce(octet_length(NEW.plan), 0) + octet_length(NEW.products)) - (200 + coalesce(octet_length(OLD.start_view), 0) + octet_length(OLD.tour) + coalesce(octet_length(OLD.plan), 0) + octet_length(OLD.products)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_unsized AFTER DELETE ON event_scenes BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + coalesce(octet_length(OLD.start_view), 0) + octet_length(OLD.tour) + coalesce(octet_length(OLD.plan), 0) + octet_length(OLD.products)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
-- A person saved the event's form or content. Saves that follow each other are reported at most once a minute: the first at once, all
-- others together. The minute begins when the last message was sent. A message that is being sent may hold the state before this
-- change, so it does not report it. A message that waits and was not sent yet is always the last, as no other is made beside it.
CREATE TRIGGER event_changes_told AFTER INSERT ON event_changes WHEN NEW.actor_id IS NOT NULL BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, receivers.webhook_id, NEW.event_id, 'event.changed', NEW.at, max(NEW.at, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ',
    min(NEW.at, iif(told.claimed_until > NEW.at, NEW.at, coalesce(json_extract(told.log, '$[#-1].at'), told.next_at))), '+1 minute'), ''))
  FROM event_receivers receivers LEFT JOIN webhook_messages told ON told.rowid = (
    SELECT latest.rowid FROM webhook_messages latest WHERE latest.webhook_id = receivers.webhook_id AND latest.event_id = NEW.event_id
      AND latest.type = 'event.changed' ORDER BY latest.at DESC LIMIT 1)
  WHERE receivers.event_id = NEW.event_id AND instr(receivers.types, '"event.changed"') > 0
    AND (told.rowid IS NULL OR told.state <> 'waiting' OR told.attempts > 0 OR told.body IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER event_changes_sized AFTER INSERT ON event_changes BEGIN
  UPDATE events SET content_bytes = content_bytes + 200 + coalesce(octet_length(NEW.before), 0) + coalesce(octet_length(NEW.after), 0) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_changes_resized AFTER UPDATE OF before, after ON event_changes WHEN 200 + coalesce(octet_length(NEW.before), 0) + coalesce(octet_length(NEW.after), 0) <> 200 + coalesce(octet_length(OLD.before), 0) + coalesce(octet_length(OLD.after), 0) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + coalesce(octet_length(NEW.before), 0) + coalesce(octet_length(NEW.after), 0)) - (200 + coalesce(octet_length(OLD.before), 0) + coalesce(octet_length(OLD.after), 0)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_changes_unsized AFTER DELETE ON event_changes BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + coalesce(octet_length(OLD.before), 0) + coalesce(octet_length(OLD.after), 0)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_changed AFTER UPDATE ON library_items BEGIN
  UPDATE events SET revision = revision + 1
  WHERE id IN (SELECT event_id FROM event_media WHERE library_item_id = NEW.id)
    OR space_id IN (SELECT space_id FROM space_files WHERE library_item_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER library_items_numbered AFTER INSERT ON library_items BEGIN
  INSERT INTO tree_docs (item_id) VALUES (NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treemedia kind' || NEW.kind || ' owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_found AFTER UPDATE OF search_key, owner_id, group_id, deleted_at, kind ON library_items
WHEN OLD.search_key <> NEW.search_key OR OLD.owner_id <> NEW.owner_id OR OLD.group_id IS NOT NEW.group_id
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) OR OLD.kind <> NEW.kind BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treemedia kind' || NEW.kind || ' owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_unnumbered AFTER DELETE ON library_items BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = OLD.id);
  DELETE FROM tree_docs WHERE item_id = OLD.id;
END;
--> statement-breakpoint
-- An item uses its owner's storage with its file, its thumbnails (still_size) and the files that were made of it (prepared_size),
-- in use and in the trash.
CREATE TRIGGER library_items_added AFTER INSERT ON library_items WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used + NEW.byte_size + NEW.still_size + NEW.prepared_size WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_removed AFTER DELETE ON library_items WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size - OLD.still_size - OLD.prepared_size WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_moved AFTER UPDATE OF owner_id, byte_size, still_size, prepared_size, deleted_at ON library_items BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size - OLD.still_size - OLD.prepared_size WHERE id = OLD.owner_id AND OLD.deleted_at IS NULL;
  UPDATE users SET storage_used = storage_used + NEW.byte_size + NEW.still_size + NEW.prepared_size WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_counted AFTER INSERT ON library_items BEGIN
  UPDATE users SET media_count = media_count + 1, trash_used = trash_used + iif(NEW.deleted_at IS NULL, 0, NEW.byte_size + NEW.still_size + NEW.prepared_size)
  WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_uncounted AFTER DELETE ON library_items BEGIN
  UPDATE users SET media_count = media_count - 1, trash_used = trash_used - iif(OLD.deleted_at IS NULL, 0, OLD.byte_size + OLD.still_size + OLD.prepared_size)
  WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_recounted AFTER UPDATE OF owner_id, byte_size, still_size, prepared_size, deleted_at ON library_items BEGIN
  UPDATE users SET media_count = media_count - 1, trash_used = trash_used - iif(OLD.deleted_at IS NULL, 0, OLD.byte_size + OLD.still_size + OLD.prepared_size)
  WHERE id = OLD.owner_id;
  UPDATE users SET media_count = media_count + 1, trash_used = trash_used + iif(NEW.deleted_at IS NULL, 0, NEW.byte_size + NEW.still_size + NEW.prepared_size)
  WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
-- The visits of an event also count for its space while the event is not in the trash. Triggers do this because every statement that
-- writes numbers or deletes, restores or moves events would otherwise have to do it.
CREATE TRIGGER visit_totals_added AFTER INSERT ON visit_totals BEGIN
  INSERT INTO visit_space_totals (
      space_id, grain, period, events, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
      cart_visitors, checkout_visitors
  ) SELECT space_id, NEW.grain, NEW.period, 1,
    NEW.visits, NEW.visitors, NEW.seconds, NEW.tags, NEW.media, NEW.products, NEW.carts, NEW.checkouts, NEW.tag_visitors,
    NEW.product_visitors, NEW.cart_visitors, NEW.checkout_visitors
    FROM events WHERE id = NEW.event_id AND deleted_at IS NULL
  ON CONFLICT (space_id, grain, period) DO UPDATE SET
    events = events + excluded.events, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media,
    products = products + excluded.products, carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts,
    tag_visitors = tag_visitors + excluded.tag_visitors, product_visitors = product_visitors + excluded.product_visitors,
    cart_visitors = cart_visitors + excluded.cart_visitors, checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_changed AFTER UPDATE OF
  visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
ON visit_totals BEGIN
  UPDATE visit_space_totals SET
    visits = visits + NEW.visits - OLD.visits, visitors = visitors + NEW.visitors - OLD.visitors,
    seconds = seconds + NEW.seconds - OLD.seconds, tags = tags + NEW.tags - OLD.tags, media = media + NEW.media - OLD.media,
    products = products + NEW.products - OLD.products, carts = carts + NEW.carts - OLD.carts,
    checkouts = checkouts + NEW.checkouts - OLD.checkouts, tag_visitors = tag_visitors + NEW.tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors + NEW.product_visitors - OLD.product_visitors,
    cart_visitors = cart_visitors + NEW.cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors + NEW.checkout_visitors - OLD.checkout_visitors
    WHERE space_id = (SELECT space_id FROM events WHERE id = NEW.event_id AND deleted_at IS NULL) AND grain = NEW.grain AND period = NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_removed AFTER DELETE ON visit_totals BEGIN
  UPDATE visit_space_totals SET
    events = events - 1, visits = visits - OLD.visits, visitors = visitors - OLD.visitors, seconds = seconds - OLD.seconds,
    tags = tags - OLD.tags, media = media - OLD.media, products = products - OLD.products, carts = carts - OLD.carts,
    checkouts = checkouts - OLD.checkouts, tag_visitors = tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors - OLD.product_visitors, cart_visitors = cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors - OLD.checkout_visitors
    WHERE space_id = (SELECT space_id FROM events WHERE id = OLD.event_id AND deleted_at IS NULL) AND grain = OLD.grain AND period = OLD.period;
  DELETE FROM visit_space_totals WHERE events = 0 AND space_id = (SELECT space_id FROM events WHERE id = OLD.event_id AND deleted_at IS NULL) AND grain = OLD.grain AND period = OLD.period;
END;
--> statement-breakpoint
-- The ranks of events have their own table: beside the lists of visit_totals, each event that moved would have all of them written
-- again. A row that already exists must not make the statement fail.
CREATE TRIGGER visit_totals_ranked AFTER INSERT ON visit_totals WHEN NEW.grain <> 'hour' BEGIN
  INSERT INTO visit_ranks (event_id, grain, period, visits, space_id, owner_id)
    SELECT NEW.event_id, NEW.grain, NEW.period, NEW.visits, iif(events.deleted_at IS NULL, spaces.id, NULL),
      iif(events.deleted_at IS NULL AND spaces.deleted_at IS NULL, spaces.owner_id, NULL)
    FROM events CROSS JOIN spaces ON spaces.id = events.space_id WHERE events.id = NEW.event_id
  ON CONFLICT (event_id, grain, period) DO UPDATE SET visits = excluded.visits, space_id = excluded.space_id, owner_id = excluded.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_reranked AFTER UPDATE OF visits ON visit_totals WHEN NEW.grain <> 'hour' AND NEW.visits <> OLD.visits BEGIN
  UPDATE visit_ranks SET visits = NEW.visits WHERE event_id = NEW.event_id AND grain = NEW.grain AND period = NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER visit_totals_unranked AFTER DELETE ON visit_totals WHEN OLD.grain <> 'hour' BEGIN
  DELETE FROM visit_ranks WHERE event_id = OLD.event_id AND grain = OLD.grain AND period = OLD.period;
END;
--> statement-breakpoint
-- The visits of a space also count for its owner while the space is not in the trash.
CREATE TRIGGER visit_space_totals_added AFTER INSERT ON visit_space_totals BEGIN
  INSERT INTO visit_account_totals (
    owner_id, grain, period, spaces, visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors,
    cart_visitors, checkout_visitors
  ) SELECT owner_id, NEW.grain, NEW.period, 1,
    NEW.visits, NEW.visitors, NEW.seconds, NEW.tags, NEW.media, NEW.products, NEW.carts, NEW.checkouts, NEW.tag_visitors, NEW.product_visitors,
    NEW.cart_visitors, NEW.checkout_visitors
    FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL
  ON CONFLICT (owner_id, grain, period) DO UPDATE SET
    spaces = spaces + excluded.spaces, visits = visits + excluded.visits, visitors = visitors + excluded.visitors,
    seconds = seconds + excluded.seconds, tags = tags + excluded.tags, media = media + excluded.media, products = products + excluded.products,
    carts = carts + excluded.carts, checkouts = checkouts + excluded.checkouts, tag_visitors = tag_visitors + excluded.tag_visitors,
    product_visitors = product_visitors + excluded.product_visitors, cart_visitors = cart_visitors + excluded.cart_visitors,
    checkout_visitors = checkout_visitors + excluded.checkout_visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_totals_changed AFTER UPDATE OF
  visits, visitors, seconds, tags, media, products, carts, checkouts, tag_visitors, product_visitors, cart_visitors, checkout_visitors
ON visit_space_totals BEGIN
  UPDATE visit_account_totals SET
    visits = visits + NEW.visits - OLD.visits, visitors = visitors + NEW.visitors - OLD.visitors, seconds = seconds + NEW.seconds - OLD.seconds,
    tags = tags + NEW.tags - OLD.tags, media = media + NEW.media - OLD.media, products = products + NEW.products - OLD.products,
    carts = carts + NEW.carts - OLD.carts, checkouts = checkouts + NEW.checkouts - OLD.checkouts,
    tag_visitors = tag_visitors + NEW.tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors + NEW.product_visitors - OLD.product_visitors,
    cart_visitors = cart_visitors + NEW.cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors + NEW.checkout_visitors - OLD.checkout_visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL) AND grain = NEW.grain AND period = NEW.period;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_totals_removed AFTER DELETE ON visit_space_totals BEGIN
  UPDATE visit_account_totals SET
    spaces = spaces - 1, visits = visits - OLD.visits, visitors = visitors - OLD.visitors, seconds = seconds - OLD.seconds,
    tags = tags - OLD.tags, media = media - OLD.media, products = products - OLD.products, carts = carts - OLD.carts,
    checkouts = checkouts - OLD.checkouts, tag_visitors = tag_visitors - OLD.tag_visitors,
    product_visitors = product_visitors - OLD.product_visitors, cart_visitors = cart_visitors - OLD.cart_visitors,
    checkout_visitors = checkout_visitors - OLD.checkout_visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id AND deleted_at IS NULL) AND grain = OLD.grain AND period = OLD.period;
  DELETE FROM visit_account_totals WHERE spaces = 0 AND owner_id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id AND deleted_at IS NULL)
    AND grain = OLD.grain AND period = OLD.period;
END;
--> statement-breakpoint
CREATE TRIGGER visit_live_added AFTER INSERT ON visit_live BEGIN
  INSERT INTO visit_space_live (space_id, minute, visitors)
    SELECT space_id, NEW.minute, max(NEW.visitors, 0) FROM events WHERE id = NEW.event_id AND deleted_at IS NULL
  ON CONFLICT (space_id, minute) DO UPDATE SET visitors = visitors + excluded.visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_live_changed AFTER UPDATE OF visitors ON visit_live BEGIN
  UPDATE visit_space_live SET visitors = visitors + max(NEW.visitors, 0) - max(OLD.visitors, 0)
    WHERE space_id = (SELECT space_id FROM events WHERE id = NEW.event_id AND deleted_at IS NULL) AND minute = NEW.minute;
END;
--> statement-breakpoint
CREATE TRIGGER visit_live_removed AFTER DELETE ON visit_live BEGIN
  UPDATE visit_space_live SET visitors = visitors - max(OLD.visitors, 0)
    WHERE space_id = (SELECT space_id FROM events WHERE id = OLD.event_id AND deleted_at IS NULL) AND minute = OLD.minute;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_live_added AFTER INSERT ON visit_space_live BEGIN
  INSERT INTO visit_account_live (owner_id, minute, visitors)
    SELECT owner_id, NEW.minute, NEW.visitors FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL
  ON CONFLICT (owner_id, minute) DO UPDATE SET visitors = visitors + excluded.visitors;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_live_changed AFTER UPDATE OF visitors ON visit_space_live BEGIN
  UPDATE visit_account_live SET visitors = visitors + NEW.visitors - OLD.visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id AND deleted_at IS NULL) AND minute = NEW.minute;
END;
--> statement-breakpoint
CREATE TRIGGER visit_space_live_removed AFTER DELETE ON visit_space_live BEGIN
  UPDATE visit_account_live SET visitors = visitors - OLD.visitors
    WHERE owner_id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id AND deleted_at IS NULL) AND minute = OLD.minute;
END;
