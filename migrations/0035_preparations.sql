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
CREATE INDEX `preparations_lease` ON `preparations` (`leased_until`) WHERE leased_until IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `prepared_files_run` ON `prepared_files` (`item_id`,`run_id`,`role`);--> statement-breakpoint
CREATE INDEX `prepared_files_staged` ON `prepared_files` (`staged_for`) WHERE staged_for IS NOT NULL;--> statement-breakpoint
ALTER TABLE `library_items` ADD `prepared_size` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Files that were made of a file count as the file does: in use, and in the trash.
DROP TRIGGER library_items_added;--> statement-breakpoint
CREATE TRIGGER library_items_added AFTER INSERT ON library_items WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used + NEW.byte_size + NEW.still_size + NEW.prepared_size WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
DROP TRIGGER library_items_removed;--> statement-breakpoint
CREATE TRIGGER library_items_removed AFTER DELETE ON library_items WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size - OLD.still_size - OLD.prepared_size WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
DROP TRIGGER library_items_moved;--> statement-breakpoint
CREATE TRIGGER library_items_moved AFTER UPDATE OF owner_id, byte_size, still_size, prepared_size, deleted_at ON library_items BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size - OLD.still_size - OLD.prepared_size WHERE id = OLD.owner_id AND OLD.deleted_at IS NULL;
  UPDATE users SET storage_used = storage_used + NEW.byte_size + NEW.still_size + NEW.prepared_size WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
DROP TRIGGER library_items_counted;--> statement-breakpoint
CREATE TRIGGER library_items_counted AFTER INSERT ON library_items BEGIN
  UPDATE users SET media_count = media_count + 1, trash_used = trash_used + iif(NEW.deleted_at IS NULL, 0, NEW.byte_size + NEW.still_size + NEW.prepared_size)
  WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
DROP TRIGGER library_items_uncounted;--> statement-breakpoint
CREATE TRIGGER library_items_uncounted AFTER DELETE ON library_items BEGIN
  UPDATE users SET media_count = media_count - 1, trash_used = trash_used - iif(OLD.deleted_at IS NULL, 0, OLD.byte_size + OLD.still_size + OLD.prepared_size)
  WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
DROP TRIGGER library_items_recounted;--> statement-breakpoint
CREATE TRIGGER library_items_recounted AFTER UPDATE OF owner_id, byte_size, still_size, prepared_size, deleted_at ON library_items BEGIN
  UPDATE users SET media_count = media_count - 1, trash_used = trash_used - iif(OLD.deleted_at IS NULL, 0, OLD.byte_size + OLD.still_size + OLD.prepared_size)
  WHERE id = OLD.owner_id;
  UPDATE users SET media_count = media_count + 1, trash_used = trash_used + iif(NEW.deleted_at IS NULL, 0, NEW.byte_size + NEW.still_size + NEW.prepared_size)
  WHERE id = NEW.owner_id;
END;
