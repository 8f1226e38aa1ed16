-- The search of users: a full-text table over pairs of characters of search_key, each written as the hexadecimal digits of its
-- UTF-8 bytes, so that any part of a name is found in any script. A phrase of neighbouring pairs is a substring. The last pair
-- is a single character. json_each over a list of as many zeros as there are characters counts the positions.
CREATE VIRTUAL TABLE user_search USING fts5(grams, facets, content='', contentless_delete=1, tokenize='ascii', prefix='2 4 6 8');
--> statement-breakpoint

CREATE TRIGGER users_added AFTER INSERT ON users BEGIN
  INSERT INTO user_docs (user_id) VALUES (NEW.id);
  INSERT INTO user_counts (role, status, total) SELECT NEW.role, NEW.status, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT (role, status) DO UPDATE SET total = total + 1;
  INSERT INTO user_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(substr(NEW.search_key, key + 1, 2)), ' ' ORDER BY key)
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')),
    'role' || NEW.role || ' status' || lower(replace(NEW.status, '_', ''))
  FROM user_docs WHERE user_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
-- Before, because the reference takes the number with it.
CREATE TRIGGER users_removed BEFORE DELETE ON users BEGIN
  UPDATE user_counts SET total = total - 1 WHERE role = OLD.role AND status = OLD.status AND OLD.deleted_at IS NULL;
  UPDATE groups SET member_count = member_count - 1
    WHERE id IN (SELECT group_id FROM group_members WHERE user_id = OLD.id) AND OLD.deleted_at IS NULL;
  DELETE FROM user_search WHERE rowid IN (SELECT doc FROM user_docs WHERE user_id = OLD.id);
END;
--> statement-breakpoint
CREATE TRIGGER users_moved AFTER UPDATE OF role, status, deleted_at ON users
WHEN OLD.role <> NEW.role OR OLD.status <> NEW.status OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE user_counts SET total = total - 1 WHERE role = OLD.role AND status = OLD.status AND OLD.deleted_at IS NULL;
  INSERT INTO user_counts (role, status, total) SELECT NEW.role, NEW.status, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT (role, status) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_found AFTER UPDATE OF role, status, deleted_at, search_key ON users
WHEN OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.search_key <> NEW.search_key
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  DELETE FROM user_search WHERE rowid IN (SELECT doc FROM user_docs WHERE user_id = NEW.id);
  INSERT INTO user_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(substr(NEW.search_key, key + 1, 2)), ' ' ORDER BY key)
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']')),
    'role' || NEW.role || ' status' || lower(replace(NEW.status, '_', ''))
  FROM user_docs WHERE user_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint

CREATE TRIGGER group_members_added AFTER INSERT ON group_members BEGIN
  UPDATE groups SET member_count = member_count + 1 WHERE id = NEW.group_id
    AND EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deleted_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER group_members_removed AFTER DELETE ON group_members BEGIN
  UPDATE groups SET member_count = member_count - 1 WHERE id = OLD.group_id
    AND EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND deleted_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER users_left AFTER UPDATE OF deleted_at ON users
WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  UPDATE groups SET member_count = member_count + iif(NEW.deleted_at IS NULL, 1, -1)
    WHERE id IN (SELECT group_id FROM group_members WHERE user_id = NEW.id);
END;
--> statement-breakpoint

-- What was there before.
INSERT INTO user_docs (user_id) SELECT id FROM users ORDER BY created_at, id;
--> statement-breakpoint
INSERT INTO user_counts (role, status, total) SELECT role, status, count(*) FROM users WHERE deleted_at IS NULL GROUP BY role, status;
--> statement-breakpoint
INSERT INTO user_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(substr(users.search_key, key + 1, 2)), ' ' ORDER BY key)
      FROM json_each('[' || rtrim(replace(hex(zeroblob(length(users.search_key))), '00', '0,'), ',') || ']')),
    'role' || users.role || ' status' || lower(replace(users.status, '_', ''))
  FROM user_docs JOIN users ON users.id = user_id WHERE deleted_at IS NULL;
--> statement-breakpoint
UPDATE groups SET member_count =
  (SELECT count(*) FROM group_members m JOIN users u ON u.id = m.user_id WHERE m.group_id = groups.id AND u.deleted_at IS NULL);
