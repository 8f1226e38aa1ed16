DROP INDEX `folders_parent`;--> statement-breakpoint
ALTER TABLE `folders` ADD `deleted_with` text;--> statement-breakpoint
ALTER TABLE `folders` ADD `search_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_in_folder_by_name` ON `folders` (`parent_id`,search_key || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `folders_in_folder_by_created` ON `folders` (`parent_id`,created_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `folders_in_folder_by_updated` ON `folders` (`parent_id`,updated_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `folders_folder` ON `folders` (`parent_id`);--> statement-breakpoint
CREATE INDEX `folders_trash` ON `folders` (`owner_id`,deleted_at || id) WHERE deleted_at IS NOT NULL AND deleted_with = id;--> statement-breakpoint
CREATE INDEX `folders_expired` ON `folders` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_deleted_with` ON `folders` (`deleted_with`) WHERE deleted_with IS NOT NULL;--> statement-breakpoint
DROP INDEX `library_items_folder`;--> statement-breakpoint
ALTER TABLE `library_items` ADD `deleted_with` text;--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_name` ON `library_items` (`folder_id`,search_key || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_created` ON `library_items` (`folder_id`,created_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_updated` ON `library_items` (`folder_id`,updated_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `library_items_trash` ON `library_items` (`owner_id`,deleted_at || id) WHERE deleted_at IS NOT NULL AND deleted_with = id;--> statement-breakpoint
CREATE INDEX `library_items_expired` ON `library_items` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_deleted_with` ON `library_items` (`deleted_with`) WHERE deleted_with IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_folder` ON `library_items` (`folder_id`);--> statement-breakpoint
DROP INDEX `spaces_folder`;--> statement-breakpoint
ALTER TABLE `spaces` ADD `deleted_with` text;--> statement-breakpoint
CREATE INDEX `spaces_in_folder_by_name` ON `spaces` (`folder_id`,search_key || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `spaces_in_folder_by_created` ON `spaces` (`folder_id`,created_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `spaces_in_folder_by_updated` ON `spaces` (`folder_id`,updated_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `spaces_trash` ON `spaces` (`owner_id`,deleted_at || id) WHERE deleted_at IS NOT NULL AND deleted_with = id;--> statement-breakpoint
CREATE INDEX `spaces_expired` ON `spaces` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `spaces_deleted_with` ON `spaces` (`deleted_with`) WHERE deleted_with IS NOT NULL;--> statement-breakpoint
CREATE INDEX `spaces_folder` ON `spaces` (`folder_id`);--> statement-breakpoint
UPDATE folders SET search_key = lower(name);--> statement-breakpoint
UPDATE folders SET deleted_with = id WHERE deleted_at IS NOT NULL;--> statement-breakpoint
UPDATE spaces SET deleted_with = id WHERE deleted_at IS NOT NULL;--> statement-breakpoint
UPDATE library_items SET deleted_with = id WHERE deleted_at IS NOT NULL;