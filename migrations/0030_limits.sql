-- Counts what an account keeps in the database, so that limits can be part of the statements that write (decision 045).
ALTER TABLE `events` ADD `content_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `content_used` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `trash_used` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `event_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `media_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `owner_id` text REFERENCES users(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `imports_owner` ON `imports` (`owner_id`);--> statement-breakpoint

DROP TRIGGER events_changed;--> statement-breakpoint

-- Existing rows, before the triggers exist that count new ones.
UPDATE events SET content_bytes = octet_length(event_detail) + octet_length(url_params) - 2
    + coalesce((SELECT sum(200 + octet_length(x.title_ja) + octet_length(x.title_en) + octet_length(x.body_ja) + octet_length(x.body_en) + octet_length(x.icon) + octet_length(x.keywords) + coalesce(octet_length(x.link_url), 0) + coalesce(octet_length(x.position), 0) + octet_length(x.stem) + coalesce(octet_length(x.viewpoint), 0) + coalesce(octet_length(x.product), 0)) FROM event_tags x WHERE x.event_id = events.id), 0)
    + coalesce((SELECT sum(200 + octet_length(x.title_ja) + octet_length(x.title_en) + octet_length(x.description_ja) + octet_length(x.description_en) + coalesce(octet_length(x.placement), 0)) FROM event_media x WHERE x.event_id = events.id), 0)
    + coalesce((SELECT sum(100) FROM tag_media x JOIN event_tags t ON t.id = x.tag_id WHERE t.event_id = events.id), 0)
    + coalesce((SELECT sum(200 + coalesce(octet_length(x.start_view), 0) + octet_length(x.tour) + coalesce(octet_length(x.plan), 0) + octet_length(x.products)) FROM event_scenes x WHERE x.event_id = events.id), 0)
    + coalesce((SELECT sum(200 + coalesce(octet_length(x.before), 0) + coalesce(octet_length(x.after), 0)) FROM event_changes x WHERE x.event_id = events.id), 0)
  WHERE 1;
--> statement-breakpoint
UPDATE users SET
    event_count = (SELECT count(*) FROM spaces s JOIN events e ON e.space_id = s.id WHERE s.owner_id = users.id),
    content_used = coalesce((SELECT sum(e.content_bytes) FROM spaces s JOIN events e ON e.space_id = s.id WHERE s.owner_id = users.id), 0),
    media_count = (SELECT count(*) FROM library_items i WHERE i.owner_id = users.id),
    trash_used = coalesce((SELECT sum(i.byte_size + i.still_size) FROM library_items i WHERE i.owner_id = users.id AND i.deleted_at IS NOT NULL), 0);
--> statement-breakpoint
UPDATE users SET storage_used = storage_used + content_used WHERE content_used > 0;
--> statement-breakpoint
UPDATE imports SET owner_id = coalesce((SELECT owner_id FROM spaces WHERE spaces.id = imports.target_id),
    (SELECT owner_id FROM folders WHERE folders.id = imports.target_id),
    (SELECT s.owner_id FROM events e JOIN spaces s ON s.id = e.space_id WHERE e.id = imports.target_id), actor_id);
--> statement-breakpoint
-- The count of bytes is nothing that visitors see: writing it is no new revision.
CREATE TRIGGER events_changed AFTER UPDATE ON events WHEN NEW.revision = OLD.revision AND NEW.content_bytes = OLD.content_bytes BEGIN
  UPDATE events SET revision = OLD.revision + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Events that are in the trash count until they are gone: otherwise deleting and creating in turn would know no limit.
CREATE TRIGGER events_sized AFTER INSERT ON events BEGIN
  UPDATE users SET event_count = event_count + 1 WHERE id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id);
  UPDATE events SET content_bytes = content_bytes + octet_length(NEW.event_detail) + octet_length(NEW.url_params) - 2 WHERE id = NEW.id AND octet_length(NEW.event_detail) + octet_length(NEW.url_params) - 2 > 0;
END;
--> statement-breakpoint
CREATE TRIGGER events_resized AFTER UPDATE OF event_detail, url_params ON events
WHEN OLD.event_detail <> NEW.event_detail OR OLD.url_params <> NEW.url_params BEGIN
  UPDATE events SET content_bytes = content_bytes + (octet_length(NEW.event_detail) + octet_length(NEW.url_params) - 2) - (octet_length(OLD.event_detail) + octet_length(OLD.url_params) - 2) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_bytes_changed AFTER UPDATE OF content_bytes ON events WHEN OLD.content_bytes <> NEW.content_bytes AND OLD.space_id = NEW.space_id BEGIN
  UPDATE users SET content_used = content_used + NEW.content_bytes - OLD.content_bytes,
    storage_used = storage_used + NEW.content_bytes - OLD.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id);
END;
--> statement-breakpoint
CREATE TRIGGER events_bytes_moved AFTER UPDATE OF space_id ON events WHEN OLD.space_id <> NEW.space_id BEGIN
  UPDATE users SET event_count = event_count - 1, content_used = content_used - OLD.content_bytes,
    storage_used = storage_used - OLD.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id);
  UPDATE users SET event_count = event_count + 1, content_used = content_used + NEW.content_bytes,
    storage_used = storage_used + NEW.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = NEW.space_id);
END;
--> statement-breakpoint
CREATE TRIGGER events_bytes_removed BEFORE DELETE ON events BEGIN
  UPDATE users SET event_count = event_count - 1, content_used = content_used - OLD.content_bytes,
    storage_used = storage_used - OLD.content_bytes WHERE id = (SELECT owner_id FROM spaces WHERE id = OLD.space_id);
END;
--> statement-breakpoint
-- Events that go with their space no longer find its owner.
CREATE TRIGGER spaces_bytes_removed BEFORE DELETE ON spaces BEGIN
  UPDATE users SET event_count = event_count - (SELECT count(*) FROM events WHERE space_id = OLD.id), content_used = content_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0),
    storage_used = storage_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0) WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_bytes_moved AFTER UPDATE OF owner_id ON spaces WHEN OLD.owner_id <> NEW.owner_id BEGIN
  UPDATE users SET event_count = event_count - (SELECT count(*) FROM events WHERE space_id = OLD.id), content_used = content_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0),
    storage_used = storage_used - coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0) WHERE id = OLD.owner_id;
  UPDATE users SET event_count = event_count + (SELECT count(*) FROM events WHERE space_id = OLD.id), content_used = content_used + coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0),
    storage_used = storage_used + coalesce((SELECT sum(content_bytes) FROM events WHERE space_id = OLD.id), 0) WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
DROP TRIGGER event_tags_added;
--> statement-breakpoint
CREATE TRIGGER event_tags_added AFTER INSERT ON event_tags BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.body_ja) + octet_length(NEW.body_en) + octet_length(NEW.icon) + octet_length(NEW.keywords) + coalesce(octet_length(NEW.link_url), 0) + coalesce(octet_length(NEW.position), 0) + octet_length(NEW.stem) + coalesce(octet_length(NEW.viewpoint), 0) + coalesce(octet_length(NEW.product), 0) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_resized AFTER UPDATE OF title_ja, title_en, body_ja, body_en, icon, keywords, link_url, position, stem, viewpoint, product ON event_tags WHEN 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.body_ja) + octet_length(NEW.body_en) + octet_length(NEW.icon) + octet_length(NEW.keywords) + coalesce(octet_length(NEW.link_url), 0) + coalesce(octet_length(NEW.position), 0) + octet_length(NEW.stem) + coalesce(octet_length(NEW.viewpoint), 0) + coalesce(octet_length(NEW.product), 0) <> 200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.body_ja) + octet_length(OLD.body_en) + octet_length(OLD.icon) + octet_length(OLD.keywords) + coalesce(octet_length(OLD.link_url), 0) + coalesce(octet_length(OLD.position), 0) + octet_length(OLD.stem) + coalesce(octet_length(OLD.viewpoint), 0) + coalesce(octet_length(OLD.product), 0) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.body_ja) + octet_length(NEW.body_en) + octet_length(NEW.icon) + octet_length(NEW.keywords) + coalesce(octet_length(NEW.link_url), 0) + coalesce(octet_length(NEW.position), 0) + octet_length(NEW.stem) + coalesce(octet_length(NEW.viewpoint), 0) + coalesce(octet_length(NEW.product), 0)) - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.body_ja) + octet_length(OLD.body_en) + octet_length(OLD.icon) + octet_length(OLD.keywords) + coalesce(octet_length(OLD.link_url), 0) + coalesce(octet_length(OLD.position), 0) + octet_length(OLD.stem) + coalesce(octet_length(OLD.viewpoint), 0) + coalesce(octet_length(OLD.product), 0)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_unsized AFTER DELETE ON event_tags BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.body_ja) + octet_length(OLD.body_en) + octet_length(OLD.icon) + octet_length(OLD.keywords) + coalesce(octet_length(OLD.link_url), 0) + coalesce(octet_length(OLD.position), 0) + octet_length(OLD.stem) + coalesce(octet_length(OLD.viewpoint), 0) + coalesce(octet_length(OLD.product), 0)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
DROP TRIGGER event_media_added;
--> statement-breakpoint
CREATE TRIGGER event_media_added AFTER INSERT ON event_media BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.description_ja) + octet_length(NEW.description_en) + coalesce(octet_length(NEW.placement), 0) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_media_resized AFTER UPDATE OF title_ja, title_en, description_ja, description_en, placement ON event_media WHEN 200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.description_ja) + octet_length(NEW.description_en) + coalesce(octet_length(NEW.placement), 0) <> 200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.description_ja) + octet_length(OLD.description_en) + coalesce(octet_length(OLD.placement), 0) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + octet_length(NEW.title_ja) + octet_length(NEW.title_en) + octet_length(NEW.description_ja) + octet_length(NEW.description_en) + coalesce(octet_length(NEW.placement), 0)) - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.description_ja) + octet_length(OLD.description_en) + coalesce(octet_length(OLD.placement), 0)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_media_unsized AFTER DELETE ON event_media BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + octet_length(OLD.title_ja) + octet_length(OLD.title_en) + octet_length(OLD.description_ja) + octet_length(OLD.description_en) + coalesce(octet_length(OLD.placement), 0)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
DROP TRIGGER event_scenes_added;
--> statement-breakpoint
CREATE TRIGGER event_scenes_added AFTER INSERT ON event_scenes BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 200 + coalesce(octet_length(NEW.start_view), 0) + octet_length(NEW.tour) + coalesce(octet_length(NEW.plan), 0) + octet_length(NEW.products) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_resized AFTER UPDATE OF start_view, tour, plan, products ON event_scenes WHEN 200 + coalesce(octet_length(NEW.start_view), 0) + octet_length(NEW.tour) + coalesce(octet_length(NEW.plan), 0) + octet_length(NEW.products) <> 200 + coalesce(octet_length(OLD.start_view), 0) + octet_length(OLD.tour) + coalesce(octet_length(OLD.plan), 0) + octet_length(OLD.products) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + coalesce(octet_length(NEW.start_view), 0) + octet_length(NEW.tour) + coalesce(octet_length(NEW.plan), 0) + octet_length(NEW.products)) - (200 + coalesce(octet_length(OLD.start_view), 0) + octet_length(OLD.tour) + coalesce(octet_length(OLD.plan), 0) + octet_length(OLD.products)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_scenes_unsized AFTER DELETE ON event_scenes BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + coalesce(octet_length(OLD.start_view), 0) + octet_length(OLD.tour) + coalesce(octet_length(OLD.plan), 0) + octet_length(OLD.products)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_changes_sized AFTER INSERT ON event_changes BEGIN
  UPDATE events SET content_bytes = content_bytes + 200 + coalesce(octet_length(NEW.before), 0) + coalesce(octet_length(NEW.after), 0) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_changes_resized AFTER UPDATE OF before, after ON event_changes WHEN 200 + coalesce(octet_length(NEW.before), 0) + coalesce(octet_length(NEW.after), 0) <> 200 + coalesce(octet_length(OLD.before), 0) + coalesce(octet_length(OLD.after), 0) BEGIN
  UPDATE events SET content_bytes = content_bytes + (200 + coalesce(octet_length(NEW.before), 0) + coalesce(octet_length(NEW.after), 0)) - (200 + coalesce(octet_length(OLD.before), 0) + coalesce(octet_length(OLD.after), 0)) WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_changes_unsized AFTER DELETE ON event_changes BEGIN
  UPDATE events SET content_bytes = content_bytes - (200 + coalesce(octet_length(OLD.before), 0) + coalesce(octet_length(OLD.after), 0)) WHERE id = OLD.event_id;
END;
--> statement-breakpoint
DROP TRIGGER tag_media_added;
--> statement-breakpoint
CREATE TRIGGER tag_media_added AFTER INSERT ON tag_media BEGIN
  UPDATE events SET revision = revision + 1, content_bytes = content_bytes + 100 WHERE id = (SELECT event_id FROM event_tags WHERE id = NEW.tag_id);
END;
--> statement-breakpoint
-- One of the two is gone already where the row goes with it.
CREATE TRIGGER tag_media_unsized AFTER DELETE ON tag_media BEGIN
  UPDATE events SET content_bytes = content_bytes - 100
  WHERE id = coalesce((SELECT event_id FROM event_tags WHERE id = OLD.tag_id), (SELECT event_id FROM event_media WHERE id = OLD.media_id));
END;
--> statement-breakpoint
CREATE TRIGGER library_items_counted AFTER INSERT ON library_items BEGIN
  UPDATE users SET media_count = media_count + 1, trash_used = trash_used + iif(NEW.deleted_at IS NULL, 0, NEW.byte_size + NEW.still_size)
  WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_uncounted AFTER DELETE ON library_items BEGIN
  UPDATE users SET media_count = media_count - 1, trash_used = trash_used - iif(OLD.deleted_at IS NULL, 0, OLD.byte_size + OLD.still_size)
  WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_recounted AFTER UPDATE OF owner_id, byte_size, still_size, deleted_at ON library_items BEGIN
  UPDATE users SET media_count = media_count - 1, trash_used = trash_used - iif(OLD.deleted_at IS NULL, 0, OLD.byte_size + OLD.still_size)
  WHERE id = OLD.owner_id;
  UPDATE users SET media_count = media_count + 1, trash_used = trash_used + iif(NEW.deleted_at IS NULL, 0, NEW.byte_size + NEW.still_size)
  WHERE id = NEW.owner_id;
END;
