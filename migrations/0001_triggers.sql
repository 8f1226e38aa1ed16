-- What must hold whoever writes: kept counters, the revision of events, and the files of spaces.

CREATE TRIGGER events_added AFTER INSERT ON events WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE spaces SET event_count = event_count + 1 WHERE id = NEW.space_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_removed AFTER DELETE ON events WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE spaces SET event_count = event_count - 1 WHERE id = OLD.space_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_moved AFTER UPDATE OF space_id, deleted_at ON events
WHEN OLD.space_id <> NEW.space_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE spaces SET event_count = event_count - 1 WHERE id = OLD.space_id AND OLD.deleted_at IS NULL;
  UPDATE spaces SET event_count = event_count + 1 WHERE id = NEW.space_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
-- The condition ends the recursion: the update below changes the revision itself.
CREATE TRIGGER events_changed AFTER UPDATE ON events WHEN NEW.revision = OLD.revision BEGIN
  UPDATE events SET revision = OLD.revision + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint

CREATE TRIGGER event_tags_added AFTER INSERT ON event_tags BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_changed AFTER UPDATE ON event_tags BEGIN
  UPDATE events SET revision = revision + 1 WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_tags_removed AFTER DELETE ON event_tags BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = OLD.event_id;
END;
--> statement-breakpoint

CREATE TRIGGER event_media_added AFTER INSERT ON event_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = NEW.event_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_media_changed AFTER UPDATE ON event_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id IN (OLD.event_id, NEW.event_id);
END;
--> statement-breakpoint
CREATE TRIGGER event_media_removed AFTER DELETE ON event_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = OLD.event_id;
END;
--> statement-breakpoint

CREATE TRIGGER tag_media_checked BEFORE INSERT ON tag_media BEGIN
  SELECT RAISE(ABORT, 'a tag shows media of its own event only')
  WHERE (SELECT event_id FROM event_tags WHERE id = NEW.tag_id)
    IS NOT (SELECT event_id FROM event_media WHERE id = NEW.media_id);
END;
--> statement-breakpoint
CREATE TRIGGER tag_media_added AFTER INSERT ON tag_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = (SELECT event_id FROM event_tags WHERE id = NEW.tag_id);
END;
--> statement-breakpoint
CREATE TRIGGER tag_media_changed AFTER UPDATE ON tag_media BEGIN
  UPDATE events SET revision = revision + 1
  WHERE id IN (SELECT event_id FROM event_tags WHERE id IN (OLD.tag_id, NEW.tag_id));
END;
--> statement-breakpoint
CREATE TRIGGER tag_media_removed AFTER DELETE ON tag_media BEGIN
  UPDATE events SET revision = revision + 1 WHERE id = (SELECT event_id FROM event_tags WHERE id = OLD.tag_id);
END;
--> statement-breakpoint

CREATE TRIGGER spaces_added AFTER INSERT ON spaces BEGIN
  UPDATE users SET space_count = space_count + 1 WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, value FROM json_tree(NEW.source) WHERE key = 'mediaId' AND type = 'text';
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, NEW.poster_media_id WHERE NEW.poster_media_id IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_removed AFTER DELETE ON spaces WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE users SET space_count = space_count - 1 WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_moved AFTER UPDATE OF owner_id, deleted_at ON spaces
WHEN OLD.owner_id <> NEW.owner_id OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE users SET space_count = space_count - 1 WHERE id = OLD.owner_id AND OLD.deleted_at IS NULL;
  UPDATE users SET space_count = space_count + 1 WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_files AFTER UPDATE OF source, poster_media_id ON spaces
WHEN OLD.source IS NOT NEW.source OR OLD.poster_media_id IS NOT NEW.poster_media_id BEGIN
  DELETE FROM space_files WHERE space_id = NEW.id;
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, value FROM json_tree(NEW.source) WHERE key = 'mediaId' AND type = 'text';
  INSERT OR IGNORE INTO space_files (space_id, library_item_id)
    SELECT NEW.id, NEW.poster_media_id WHERE NEW.poster_media_id IS NOT NULL;
END;
--> statement-breakpoint
-- Not event_count, which events themselves change.
CREATE TRIGGER spaces_changed AFTER UPDATE OF owner_id, group_id, name, sid, source, poster_media_id, version, deleted_at ON spaces BEGIN
  UPDATE events SET revision = revision + 1 WHERE space_id = NEW.id;
END;
--> statement-breakpoint

CREATE TRIGGER library_items_added AFTER INSERT ON library_items WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used + NEW.byte_size WHERE id = NEW.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_removed AFTER DELETE ON library_items WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size WHERE id = OLD.owner_id;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_moved AFTER UPDATE OF owner_id, byte_size, deleted_at ON library_items BEGIN
  UPDATE users SET storage_used = storage_used - OLD.byte_size WHERE id = OLD.owner_id AND OLD.deleted_at IS NULL;
  UPDATE users SET storage_used = storage_used + NEW.byte_size WHERE id = NEW.owner_id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_changed AFTER UPDATE ON library_items BEGIN
  UPDATE events SET revision = revision + 1
  WHERE id IN (SELECT event_id FROM event_media WHERE library_item_id = NEW.id)
    OR space_id IN (SELECT space_id FROM space_files WHERE library_item_id = NEW.id);
END;
