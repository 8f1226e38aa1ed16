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
CREATE INDEX `event_changes_event` ON `event_changes` (`event_id`,`seq`);--> statement-breakpoint
CREATE INDEX `event_changes_fields` ON `event_changes` (`event_id`,`seq`) WHERE item_type = 'event';--> statement-breakpoint
CREATE UNIQUE INDEX `event_changes_act` ON `event_changes` (`act`,`part`);--> statement-breakpoint
CREATE TABLE `event_scenes` (
	`event_id` text PRIMARY KEY NOT NULL,
	`start_view` text,
	`tour` text DEFAULT '[]' NOT NULL,
	`plan` text,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "event_scenes_json" CHECK(json_valid(tour) AND (start_view IS NULL OR json_valid(start_view)) AND (plan IS NULL OR json_valid(plan)))
);
--> statement-breakpoint
ALTER TABLE `event_tags` ADD `hidden` integer DEFAULT false NOT NULL CONSTRAINT "event_tags_hidden" CHECK(hidden IN (0, 1));--> statement-breakpoint
ALTER TABLE `event_tags` ADD `product` text CONSTRAINT "event_tags_product" CHECK(product IS NULL OR json_valid(product));--> statement-breakpoint
ALTER TABLE `event_media` ADD `hidden` integer DEFAULT false NOT NULL CONSTRAINT "event_media_hidden" CHECK(hidden IN (0, 1));--> statement-breakpoint

-- A scene is part of what visitors see.
CREATE TRIGGER event_scenes_added AFTER INSERT ON event_scenes BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_changed AFTER UPDATE ON event_scenes BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_removed AFTER DELETE ON event_scenes BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = OLD.event_id;
END;
