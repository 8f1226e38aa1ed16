DROP TABLE `visit_salts`;--> statement-breakpoint
CREATE INDEX `event_tags_shown` ON `event_tags` (`event_id`,product ->> 'id') WHERE product IS NOT NULL;