ALTER TABLE `library_items` ADD `still_size` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_shared_by_name` ON `library_items` (`folder_id`,`group_id`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_shared_by_created` ON `library_items` (`folder_id`,`group_id`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_shared_by_updated` ON `library_items` (`folder_id`,`group_id`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_shared_of_kind_by_name` ON `library_items` (`folder_id`,`group_id`,`kind`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_shared_of_kind_by_created` ON `library_items` (`folder_id`,`group_id`,`kind`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_shared_of_kind_by_updated` ON `library_items` (`folder_id`,`group_id`,`kind`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_shared_by_name` ON `folders` (`parent_id`,`group_id`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_shared_by_created` ON `folders` (`parent_id`,`group_id`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_shared_by_updated` ON `folders` (`parent_id`,`group_id`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `spaces_shared_by_name` ON `spaces` (`folder_id`,`group_id`,search_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `spaces_shared_by_created` ON `spaces` (`folder_id`,`group_id`,created_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `spaces_shared_by_updated` ON `spaces` (`folder_id`,`group_id`,updated_at || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;--> statement-breakpoint
-- What a library takes of its owner's storage is its files and the still pictures that browsers have made of them. Of
-- pictures that were made before this the sizes are not known here: they count from the next one on.
DROP TRIGGER library_items_added;--> statement-breakpoint
CREATE TRIGGER library_items_added AFTER INSERT ON library_items WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used + NEW.byte_size + NEW.still_size WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
DROP TRIGGER library_items_removed;--> statement-breakpoint
CREATE TRIGGER library_items_removed AFTER DELETE ON library_items WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size - OLD.still_size WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
DROP TRIGGER library_items_moved;--> statement-breakpoint
CREATE TRIGGER library_items_moved AFTER UPDATE OF owner_id, byte_size, still_size, deleted_at ON library_items BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size - OLD.still_size WHERE id = OLD.owner_id AND OLD.deleted_at IS NULL;
  UPDATE users SET storage_used = storage_used + NEW.byte_size + NEW.still_size WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
END;
