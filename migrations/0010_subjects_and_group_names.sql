ALTER TABLE `audit` ADD `subject_id` text;--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit` (`subject_id`,at || id) WHERE subject_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `groups` ADD `name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `groups_name` ON `groups` (`name_key`) WHERE deleted_at IS NULL;--> statement-breakpoint

-- What was there before, as far as it tells: entries name members by their address, or by their id when they were in the trash.
UPDATE groups SET name_key = lower(name);
--> statement-breakpoint
UPDATE audit SET subject_id = coalesce(
  (SELECT id FROM users WHERE email_key = lower(json_extract(detail, '$.member')) AND deleted_at IS NULL),
  (SELECT id FROM users WHERE id = json_extract(detail, '$.member'))
) WHERE action IN ('group_member_added', 'group_member_removed');
