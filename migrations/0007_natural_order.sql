-- sort_key is search_key in which every number is padded with zeros to 16 digits, so that "Hall 2" comes before "Hall 10" (decision 109).
-- Triggers write it for every writer. json_each has a row for each character, as in the initial migration: the zeros are written before a digit
-- that follows no digit, and ltrim tells how many digits follow it.
DROP INDEX `folders_in_folder_by_name`;
--> statement-breakpoint
DROP INDEX `folders_shared_by_name`;
--> statement-breakpoint
DROP INDEX `library_items_in_folder_by_name`;
--> statement-breakpoint
DROP INDEX `library_items_shared_by_name`;
--> statement-breakpoint
DROP INDEX `library_items_of_kind_by_name`;
--> statement-breakpoint
DROP INDEX `library_items_shared_of_kind_by_name`;
--> statement-breakpoint
DROP INDEX `spaces_in_folder_by_name`;
--> statement-breakpoint
DROP INDEX `spaces_shared_by_name`;
--> statement-breakpoint
ALTER TABLE `folders` ADD `sort_key` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `library_items` ADD `sort_key` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `spaces` ADD `sort_key` text DEFAULT '' NOT NULL;
--> statement-breakpoint
DROP TRIGGER library_items_changed;
--> statement-breakpoint
UPDATE folders SET sort_key = iif(search_key GLOB '*[0-9]*', coalesce((SELECT group_concat(iif(substr(search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(search_key, key + 1)) - length(ltrim(substr(search_key, key + 1), '0123456789'))), '') || substr(search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(search_key))), '00', '0,'), ',') || ']')), ''), search_key);
--> statement-breakpoint
UPDATE spaces SET sort_key = iif(search_key GLOB '*[0-9]*', coalesce((SELECT group_concat(iif(substr(search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(search_key, key + 1)) - length(ltrim(substr(search_key, key + 1), '0123456789'))), '') || substr(search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(search_key))), '00', '0,'), ',') || ']')), ''), search_key);
--> statement-breakpoint
UPDATE library_items SET sort_key = iif(search_key GLOB '*[0-9]*', coalesce((SELECT group_concat(iif(substr(search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(search_key, key + 1)) - length(ltrim(substr(search_key, key + 1), '0123456789'))), '') || substr(search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(search_key))), '00', '0,'), ',') || ']')), ''), search_key);
--> statement-breakpoint
-- As in the initial migration, but the trigger that writes sort_key is not another change.
CREATE TRIGGER library_items_changed AFTER UPDATE ON library_items WHEN NEW.sort_key = OLD.sort_key BEGIN
  UPDATE events SET revision = revision + 1
  WHERE id IN (SELECT event_id FROM event_media WHERE library_item_id = NEW.id)
    OR space_id IN (SELECT space_id FROM space_files WHERE library_item_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER folders_sorted AFTER INSERT ON folders BEGIN
  UPDATE folders SET sort_key = coalesce((SELECT group_concat(iif(substr(NEW.search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(NEW.search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(NEW.search_key, key + 1)) - length(ltrim(substr(NEW.search_key, key + 1), '0123456789'))), '') || substr(NEW.search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')), '')
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER folders_resorted AFTER UPDATE OF search_key ON folders WHEN NEW.search_key <> OLD.search_key BEGIN
  UPDATE folders SET sort_key = coalesce((SELECT group_concat(iif(substr(NEW.search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(NEW.search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(NEW.search_key, key + 1)) - length(ltrim(substr(NEW.search_key, key + 1), '0123456789'))), '') || substr(NEW.search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')), '')
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_sorted AFTER INSERT ON spaces BEGIN
  UPDATE spaces SET sort_key = coalesce((SELECT group_concat(iif(substr(NEW.search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(NEW.search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(NEW.search_key, key + 1)) - length(ltrim(substr(NEW.search_key, key + 1), '0123456789'))), '') || substr(NEW.search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')), '')
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_resorted AFTER UPDATE OF search_key ON spaces WHEN NEW.search_key <> OLD.search_key BEGIN
  UPDATE spaces SET sort_key = coalesce((SELECT group_concat(iif(substr(NEW.search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(NEW.search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(NEW.search_key, key + 1)) - length(ltrim(substr(NEW.search_key, key + 1), '0123456789'))), '') || substr(NEW.search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')), '')
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_sorted AFTER INSERT ON library_items BEGIN
  UPDATE library_items SET sort_key = coalesce((SELECT group_concat(iif(substr(NEW.search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(NEW.search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(NEW.search_key, key + 1)) - length(ltrim(substr(NEW.search_key, key + 1), '0123456789'))), '') || substr(NEW.search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')), '')
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_resorted AFTER UPDATE OF search_key ON library_items WHEN NEW.search_key <> OLD.search_key BEGIN
  UPDATE library_items SET sort_key = coalesce((SELECT group_concat(iif(substr(NEW.search_key, key + 1, 1) BETWEEN '0' AND '9' AND NOT substr(NEW.search_key, key, 1) BETWEEN '0' AND '9',
    substr('0000000000000000', 1 + length(substr(NEW.search_key, key + 1)) - length(ltrim(substr(NEW.search_key, key + 1), '0123456789'))), '') || substr(NEW.search_key, key + 1, 1), '' ORDER BY key)
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')), '')
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE INDEX `folders_in_folder_by_name` ON `folders` (`parent_id`,sort_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `folders_shared_by_name` ON `folders` (`parent_id`,`group_id`,sort_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_in_folder_by_name` ON `library_items` (`folder_id`,sort_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_by_name` ON `library_items` (`folder_id`,`group_id`,sort_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `library_items_of_kind_by_name` ON `library_items` (`folder_id`,`kind`,sort_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `library_items_shared_of_kind_by_name` ON `library_items` (`folder_id`,`group_id`,`kind`,sort_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `spaces_in_folder_by_name` ON `spaces` (`folder_id`,sort_key || char(1) || id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX `spaces_shared_by_name` ON `spaces` (`folder_id`,`group_id`,sort_key || char(1) || id) WHERE deleted_at IS NULL AND group_id IS NOT NULL;
