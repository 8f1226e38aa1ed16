ALTER TABLE `events` ADD `history_from` text;--> statement-breakpoint
CREATE INDEX `event_changes_marks` ON `event_changes` (`event_id`,`seq`,`item_type`,`item_id`,`at`,`actor_id`,`act`,before IS NULL,after IS NULL);--> statement-breakpoint
CREATE INDEX `event_media_expired` ON `event_media` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_tags_expired` ON `event_tags` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint

-- Events that are older than the first change that was kept: of what was done to them before it nothing is known.
UPDATE events SET history_from = coalesce((SELECT min(at) FROM event_changes), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  WHERE created_at < coalesce((SELECT min(at) FROM event_changes), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
