DROP INDEX `spaces_owner`;--> statement-breakpoint
DROP INDEX `spaces_group`;--> statement-breakpoint
CREATE INDEX `spaces_owner` ON `spaces` (`owner_id`,created_at || id);--> statement-breakpoint
CREATE INDEX `spaces_group` ON `spaces` (`group_id`,created_at || id) WHERE group_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `library_items_convertible` ON `library_items` (`owner_id`,`created_at`) WHERE deleted_at IS NULL AND kind IN ('image', 'video', 'model', 'splat') AND NOT (mime_type IN ('image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'image/svg+xml') AND max(width, height) < 4096);