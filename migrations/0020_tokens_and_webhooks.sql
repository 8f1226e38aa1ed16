CREATE TABLE `access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	`revoked_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "access_tokens_name" CHECK(length(name) BETWEEN 1 AND 64),
	CONSTRAINT "access_tokens_json" CHECK(json_valid(scopes))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_tokens_hash` ON `access_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `access_tokens_user` ON `access_tokens` (`user_id`,created_at || id);--> statement-breakpoint
CREATE INDEX `access_tokens_expiry` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `webhook_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text,
	`type` text NOT NULL,
	`at` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`body` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` text NOT NULL,
	`claimed_until` text,
	`log` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_messages_state" CHECK(state IN ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_messages_log" CHECK(json_valid(log))
);
--> statement-breakpoint
CREATE INDEX `webhook_messages_due` ON `webhook_messages` (`next_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_messages_waiting` ON `webhook_messages` (`webhook_id`,`event_id`,`type`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_messages_webhook` ON `webhook_messages` (`webhook_id`,at || id);--> statement-breakpoint
CREATE INDEX `webhook_messages_age` ON `webhook_messages` (`at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`space_id` text,
	`event_id` text,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`disabled_at` text,
	`disabled_why` text,
	`failing_since` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`space_id`) REFERENCES `spaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhooks_json" CHECK(json_valid(types)),
	CONSTRAINT "webhooks_disabled" CHECK((disabled_at IS NULL) = (disabled_why IS NULL)),
	CONSTRAINT "webhooks_why" CHECK(disabled_why IS NULL OR disabled_why IN ('paused', 'failing', 'gone'))
);
--> statement-breakpoint
CREATE INDEX `webhooks_user` ON `webhooks` (`user_id`,created_at || id);--> statement-breakpoint
CREATE INDEX `webhooks_space` ON `webhooks` (`space_id`) WHERE space_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhooks_event` ON `webhooks` (`event_id`) WHERE event_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `announced_status` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- What is saved of events that are there is what nobody needs to be told of.
UPDATE events SET announced_status = status_id;
--> statement-breakpoint

-- Tokens end as sessions do: with a new password, and when the account may no longer log in.
CREATE TRIGGER users_tokens_end AFTER UPDATE OF password_hash, status, deleted_at ON users
WHEN NEW.password_hash <> OLD.password_hash OR NEW.status <> 'ACTIVATED' OR NEW.deleted_at IS NOT NULL BEGIN
  UPDATE access_tokens SET revoked_at = NEW.updated_at WHERE user_id = NEW.id AND revoked_at IS NULL AND expires_at > NEW.updated_at;
END;
--> statement-breakpoint

-- Whom an event tells what: the webhooks of the owner of its space, as long as the account may log in. Each row has an id for a message.
CREATE VIEW event_receivers AS
SELECT events.id AS event_id, events.space_id, events.deleted_at, spaces.deleted_at AS space_deleted_at, webhooks.id AS webhook_id, webhooks.types,
  lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) AS message_id
FROM events
JOIN spaces ON spaces.id = events.space_id
JOIN users ON users.id = spaces.owner_id AND users.status = 'ACTIVATED' AND users.deleted_at IS NULL
JOIN webhooks ON webhooks.user_id = spaces.owner_id AND webhooks.disabled_at IS NULL
  AND (webhooks.space_id IS NULL OR webhooks.space_id = spaces.id) AND (webhooks.event_id IS NULL OR webhooks.event_id = events.id);
--> statement-breakpoint

-- The public link opens or closes: once for each time, whoever writes it down, and however often somebody does.
CREATE TRIGGER events_announced AFTER UPDATE OF announced_status ON events
WHEN NEW.announced_status <> OLD.announced_status AND (NEW.announced_status IN (3, 4) OR OLD.announced_status = 3) BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, NEW.id, type, NEW.updated_at, NEW.updated_at
  FROM event_receivers CROSS JOIN (SELECT iif(NEW.announced_status = 3, 'event.published', 'event.closed') AS type)
  WHERE event_id = NEW.id AND deleted_at IS NULL AND space_deleted_at IS NULL AND instr(types, '"' || type || '"') > 0;
END;
--> statement-breakpoint
CREATE TRIGGER events_made_published AFTER INSERT ON events WHEN NEW.announced_status = 3 AND NEW.deleted_at IS NULL BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, NEW.id, 'event.published', NEW.updated_at, NEW.updated_at
  FROM event_receivers WHERE event_id = NEW.id AND space_deleted_at IS NULL AND instr(types, '"event.published"') > 0;
END;
--> statement-breakpoint

-- To the trash and back, by itself or with its space.
CREATE TRIGGER events_binned AFTER UPDATE OF deleted_at ON events WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, NEW.id, type, NEW.updated_at, NEW.updated_at
  FROM event_receivers CROSS JOIN (SELECT iif(NEW.deleted_at IS NULL, 'event.restored', 'event.deleted') AS type)
  WHERE event_id = NEW.id AND space_deleted_at IS NULL AND instr(types, '"' || type || '"') > 0;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_binned AFTER UPDATE OF deleted_at ON spaces WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, event_id, type, NEW.updated_at, NEW.updated_at
  FROM event_receivers CROSS JOIN (SELECT iif(NEW.deleted_at IS NULL, 'event.restored', 'event.deleted') AS type)
  WHERE space_id = NEW.id AND deleted_at IS NULL AND instr(types, '"' || type || '"') > 0;
END;
--> statement-breakpoint

-- The form or the content was saved by somebody. Saves that follow each other are told at most once a minute: the first at once, all
-- others together. A message that somebody is sending may say what was before this change, so it is not the one that tells it.
CREATE TRIGGER event_changes_told AFTER INSERT ON event_changes WHEN NEW.actor_id IS NOT NULL BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, webhook_id, NEW.event_id, 'event.changed', NEW.at, max(NEW.at, coalesce(
    (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(told.at), '+1 minute') FROM webhook_messages told
      WHERE told.webhook_id = event_receivers.webhook_id AND told.at || told.id > strftime('%Y-%m-%dT%H:%M:%fZ', NEW.at, '-1 minute')
        AND told.event_id = NEW.event_id AND told.type = 'event.changed'), ''))
  FROM event_receivers WHERE event_id = NEW.event_id AND instr(types, '"event.changed"') > 0 AND NOT EXISTS (
    SELECT 1 FROM webhook_messages waits WHERE waits.webhook_id = event_receivers.webhook_id AND waits.event_id = NEW.event_id
      AND waits.type = 'event.changed' AND waits.state = 'waiting' AND waits.attempts = 0 AND waits.body IS NULL);
END;
