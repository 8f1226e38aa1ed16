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
CREATE UNIQUE INDEX `uploads_file` ON `uploads` (`file_key`);--> statement-breakpoint
CREATE INDEX `uploads_actor` ON `uploads` (`actor_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `uploads_owner` ON `uploads` (`owner_id`);--> statement-breakpoint
CREATE INDEX `uploads_folder` ON `uploads` (`folder_id`);--> statement-breakpoint
CREATE INDEX `uploads_replaces` ON `uploads` (`replaces_id`) WHERE replaces_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `uploads_expiry` ON `uploads` (`expires_at`);--> statement-breakpoint
-- Kinds of media were added, and a condition of a table cannot be changed. Made anew under its own name and not renamed, because rows
-- that are put back under the name settle the references to them, which are held open meanwhile.
PRAGMA defer_foreign_keys = ON;--> statement-breakpoint
CREATE TABLE `kept_library_items` AS SELECT * FROM `library_items`;--> statement-breakpoint
DROP TABLE `library_items`;--> statement-breakpoint
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
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `groups`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "library_items_kind" CHECK(kind IN ('image', 'video', 'audio', 'pdf', 'model', 'splat', 'subtitle', 'web')),
	CONSTRAINT "library_items_file_or_web" CHECK((kind = 'web') = (file_key IS NULL) AND (kind = 'web') = (web_url IS NOT NULL)),
	CONSTRAINT "library_items_size" CHECK(byte_size >= 0),
	CONSTRAINT "library_items_embed" CHECK(web_embed IS NULL OR json_valid(web_embed))
);
--> statement-breakpoint
INSERT INTO `library_items` (id, folder_id, owner_id, group_id, kind, title, search_key, file_name, mime_type, byte_size, width, height, duration, file_key, web_url, web_embed, created_at, updated_at, version, deleted_at, deleted_by, deleted_with)
  SELECT id, folder_id, owner_id, group_id, kind, title, search_key, file_name, mime_type, byte_size, width, height, duration, file_key, web_url, web_embed, created_at, updated_at, version, deleted_at, deleted_by, deleted_with FROM `kept_library_items`;--> statement-breakpoint
DROP TABLE `kept_library_items`;--> statement-breakpoint
CREATE INDEX `library_items_owner` ON `library_items` (`owner_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_name` ON `library_items` (`folder_id`,search_key || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_created` ON `library_items` (`folder_id`,created_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_updated` ON `library_items` (`folder_id`,updated_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `library_items_folder` ON `library_items` (`folder_id`);--> statement-breakpoint
CREATE INDEX `library_items_trash` ON `library_items` (`owner_id`,deleted_at || id) WHERE deleted_at IS NOT NULL AND deleted_with = id;--> statement-breakpoint
CREATE INDEX `library_items_expired` ON `library_items` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_deleted_with` ON `library_items` (`deleted_with`) WHERE deleted_with IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_group` ON `library_items` (`group_id`) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `library_items_file` ON `library_items` (`file_key`);--> statement-breakpoint
-- The table took its triggers with it; these are those of 0001.
CREATE TRIGGER library_items_added AFTER INSERT ON library_items WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used + NEW.byte_size WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_removed AFTER DELETE ON library_items WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_moved AFTER UPDATE OF owner_id, byte_size, deleted_at ON library_items BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size WHERE id = OLD.owner_id AND OLD.deleted_at IS NULL;
  UPDATE users SET storage_used = storage_used + NEW.byte_size WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_changed AFTER UPDATE ON library_items BEGIN
  UPDATE events SET revision = revision + 1
  WHERE id IN (SELECT event_id FROM event_media WHERE library_item_id = NEW.id)
    OR space_id IN (SELECT space_id FROM space_files WHERE library_item_id = NEW.id);
END;
