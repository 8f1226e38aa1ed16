DROP INDEX `webhook_messages_due`;--> statement-breakpoint
DROP INDEX `webhook_messages_waiting`;--> statement-breakpoint
CREATE INDEX `webhook_messages_next` ON `webhook_messages` (`webhook_id`,`next_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_messages_held` ON `webhook_messages` (`webhook_id`) WHERE claimed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_messages_last` ON `webhook_messages` (`webhook_id`,`event_id`,`type`,`at`);--> statement-breakpoint
ALTER TABLE `webhooks` ADD `older_secrets` text DEFAULT '[]' NOT NULL;--> statement-breakpoint

-- As before, but a minute is counted from when the last message was sent, and not from the save of which it tells. One that waits and
-- was not sent yet is always the last, as no other is made beside it.
DROP TRIGGER event_changes_told;
--> statement-breakpoint
CREATE TRIGGER event_changes_told AFTER INSERT ON event_changes WHEN NEW.actor_id IS NOT NULL BEGIN
  INSERT INTO webhook_messages (id, webhook_id, event_id, type, at, next_at)
  SELECT message_id, receivers.webhook_id, NEW.event_id, 'event.changed', NEW.at, max(NEW.at, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ',
    min(NEW.at, iif(told.claimed_until > NEW.at, NEW.at, coalesce(json_extract(told.log, '$[#-1].at'), told.next_at))), '+1 minute'), ''))
  FROM event_receivers receivers LEFT JOIN webhook_messages told ON told.rowid = (
    SELECT latest.rowid FROM webhook_messages latest WHERE latest.webhook_id = receivers.webhook_id AND latest.event_id = NEW.event_id
      AND latest.type = 'event.changed' ORDER BY latest.at DESC LIMIT 1)
  WHERE receivers.event_id = NEW.event_id AND instr(receivers.types, '"event.changed"') > 0
    AND (told.rowid IS NULL OR told.state <> 'waiting' OR told.attempts > 0 OR told.body IS NOT NULL);
END;
