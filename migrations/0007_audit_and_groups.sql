DROP INDEX `audit_resource`;--> statement-breakpoint
DROP INDEX `audit_actor`;--> statement-breakpoint
DROP INDEX `audit_action`;--> statement-breakpoint
DROP INDEX `audit_kind`;--> statement-breakpoint
DROP INDEX `audit_newest`;--> statement-breakpoint
CREATE INDEX `audit_resource` ON `audit` (`resource_type`,`resource_id`,at || id);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,at || id);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit` (`action`,at || id);--> statement-breakpoint
CREATE INDEX `audit_kind` ON `audit` (`resource_type`,at || id);--> statement-breakpoint
CREATE INDEX `audit_newest` ON `audit` (at || id);--> statement-breakpoint
DROP INDEX `group_members_newest`;--> statement-breakpoint
CREATE INDEX `group_members_newest` ON `group_members` (`group_id`,created_at || user_id);--> statement-breakpoint
DROP INDEX `groups_newest`;--> statement-breakpoint
DROP INDEX `groups_trash`;--> statement-breakpoint
CREATE INDEX `groups_newest` ON `groups` (created_at || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `groups_trash` ON `groups` (deleted_at || id) WHERE deleted_at IS NOT NULL;