-- The name and the details of an event exist in Japanese and in English (decision 089). A text that has Japanese characters becomes the
-- Japanese one, any other the English one; writtenLang in app/domain/events/event-texts.ts is the same rule.
CREATE TABLE `event_names` (
	`space_id` text NOT NULL,
	`name_key` text NOT NULL,
	`event_id` text NOT NULL,
	PRIMARY KEY(`space_id`, `name_key`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `event_names_event` ON `event_names` (`event_id`);
--> statement-breakpoint
DROP INDEX `events_name`;
--> statement-breakpoint
DROP TRIGGER events_sized;
--> statement-breakpoint
DROP TRIGGER events_resized;
--> statement-breakpoint
ALTER TABLE `events` RENAME COLUMN `event_detail` TO `detail_ja`;
--> statement-breakpoint
ALTER TABLE `events` ADD `detail_en` text DEFAULT '' NOT NULL CONSTRAINT "events_detail_en" CHECK(length(detail_en) <= 1000);
--> statement-breakpoint
ALTER TABLE `events` ADD `name_ja` text DEFAULT '' NOT NULL CONSTRAINT "events_name_ja" CHECK(length(name_ja) <= 32);
--> statement-breakpoint
ALTER TABLE `events` ADD `name_en` text DEFAULT '' NOT NULL CONSTRAINT "events_name_en" CHECK(length(name_en) <= 32);
--> statement-breakpoint
ALTER TABLE `events` ADD `name_key_ja` text DEFAULT '' NOT NULL;
--> statement-breakpoint
UPDATE events SET name_ja = iif(event_name GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', event_name, ''), name_en = iif(event_name GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', '', event_name),
  name_key_ja = iif(event_name GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', name_key, ''),
  detail_ja = iif(detail_ja GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', detail_ja, ''), detail_en = iif(detail_ja GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', '', detail_ja);
--> statement-breakpoint
-- The constraint comes with the last column, because it must hold for all rows when it is added.
ALTER TABLE `events` ADD `name_key_en` text DEFAULT '' NOT NULL CONSTRAINT "events_names" CHECK(event_name = iif(name_ja = '', name_en, name_ja));
--> statement-breakpoint
UPDATE events SET name_key_en = name_key WHERE name_ja = '';
--> statement-breakpoint
ALTER TABLE `events` DROP COLUMN `name_key`;
--> statement-breakpoint
UPDATE event_changes SET before = json_set(before,
    '$.eventName', json_object('ja', iif(before ->> '$.eventName' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', before ->> '$.eventName', ''), 'en', iif(before ->> '$.eventName' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', '', before ->> '$.eventName')),
    '$.eventDetail', json_object('ja', iif(before ->> '$.eventDetail' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', before ->> '$.eventDetail', ''), 'en', iif(before ->> '$.eventDetail' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', '', before ->> '$.eventDetail')))
  WHERE item_type = 'event' AND before IS NOT NULL;
--> statement-breakpoint
UPDATE event_changes SET after = json_set(after,
    '$.eventName', json_object('ja', iif(after ->> '$.eventName' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', after ->> '$.eventName', ''), 'en', iif(after ->> '$.eventName' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', '', after ->> '$.eventName')),
    '$.eventDetail', json_object('ja', iif(after ->> '$.eventDetail' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', after ->> '$.eventDetail', ''), 'en', iif(after ->> '$.eventDetail' GLOB '*[ぁ-ヿ㐀-鿿豈-﫿ｦ-ﾟ]*', '', after ->> '$.eventDetail')))
  WHERE item_type = 'event' AND after IS NOT NULL;
--> statement-breakpoint
INSERT INTO event_names (space_id, name_key, event_id)
  SELECT space_id, name_key_ja || name_key_en, id FROM events WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE TRIGGER events_named AFTER INSERT ON events WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO event_names (space_id, name_key, event_id)
    SELECT NEW.space_id, NEW.name_key_ja, NEW.id WHERE NEW.name_key_ja <> ''
    UNION SELECT NEW.space_id, NEW.name_key_en, NEW.id WHERE NEW.name_key_en <> '';
END;
--> statement-breakpoint
CREATE TRIGGER events_renamed AFTER UPDATE OF name_key_ja, name_key_en, space_id, deleted_at ON events
WHEN OLD.name_key_ja <> NEW.name_key_ja OR OLD.name_key_en <> NEW.name_key_en OR OLD.space_id <> NEW.space_id
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  DELETE FROM event_names WHERE event_id = OLD.id;
  INSERT INTO event_names (space_id, name_key, event_id)
    SELECT NEW.space_id, NEW.name_key_ja, NEW.id WHERE NEW.name_key_ja <> '' AND NEW.deleted_at IS NULL
    UNION SELECT NEW.space_id, NEW.name_key_en, NEW.id WHERE NEW.name_key_en <> '' AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
-- As in the initial migration, with the details of both languages.
CREATE TRIGGER events_sized AFTER INSERT ON events BEGIN
  UPDATE users SET event_count = event_count + 1 WHERE id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id);
  UPDATE events SET content_bytes = content_bytes + octet_length(NEW.detail_ja) + octet_length(NEW.detail_en) + octet_length(NEW.url_params) - 2 WHERE id = NEW.id AND octet_length(NEW.detail_ja) + octet_length(NEW.detail_en) + octet_length(NEW.url_params) - 2 > 0;
END;
--> statement-breakpoint
CREATE TRIGGER events_resized AFTER UPDATE OF detail_ja, detail_en, url_params ON events
WHEN OLD.detail_ja <> NEW.detail_ja OR OLD.detail_en <> NEW.detail_en OR OLD.url_params <> NEW.url_params BEGIN
  UPDATE events SET content_bytes = content_bytes + (octet_length(NEW.detail_ja) + octet_length(NEW.detail_en) + octet_length(NEW.url_params) - 2) - (octet_length(OLD.detail_ja) + octet_length(OLD.detail_en) + octet_length(OLD.url_params) - 2) WHERE id = NEW.id;
END;
