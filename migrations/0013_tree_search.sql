CREATE TABLE `tree_docs` (
	`doc` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tree_docs_item` ON `tree_docs` (`item_id`);--> statement-breakpoint
CREATE INDEX `events_trash` ON `events` (`space_id`,deleted_at || id) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_expired` ON `events` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint

-- The search of folders, spaces and library items: as user_search (0006) pairs of characters of search_key, with katakana written as
-- hiragana, so that each is found by the other. Here and not in search_key, which sorts. What is in the trash, and a root folder,
-- which has no name, is not in it.
CREATE VIRTUAL TABLE tree_search USING fts5(grams, facets, content='', contentless_delete=1, tokenize='ascii', prefix='2 4 6 8');
--> statement-breakpoint

CREATE TRIGGER folders_numbered AFTER INSERT ON folders WHEN NEW.parent_id IS NOT NULL BEGIN
  INSERT INTO tree_docs (item_id) VALUES (NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'tree' || NEW.folder_type || ' kindfolder owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER folders_found AFTER UPDATE OF search_key, owner_id, group_id, deleted_at ON folders
WHEN NEW.parent_id IS NOT NULL AND (OLD.search_key <> NEW.search_key OR OLD.owner_id <> NEW.owner_id OR OLD.group_id IS NOT NEW.group_id
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'tree' || NEW.folder_type || ' kindfolder owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER folders_unnumbered AFTER DELETE ON folders BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = OLD.id);
  DELETE FROM tree_docs WHERE item_id = OLD.id;
END;
--> statement-breakpoint

CREATE TRIGGER spaces_numbered AFTER INSERT ON spaces BEGIN
  INSERT INTO tree_docs (item_id) VALUES (NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treespace kindspace owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_found AFTER UPDATE OF search_key, owner_id, group_id, deleted_at ON spaces
WHEN OLD.search_key <> NEW.search_key OR OLD.owner_id <> NEW.owner_id OR OLD.group_id IS NOT NEW.group_id
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treespace kindspace owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER spaces_unnumbered AFTER DELETE ON spaces BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = OLD.id);
  DELETE FROM tree_docs WHERE item_id = OLD.id;
END;
--> statement-breakpoint

CREATE TRIGGER library_items_numbered AFTER INSERT ON library_items BEGIN
  INSERT INTO tree_docs (item_id) VALUES (NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treemedia kind' || NEW.kind || ' owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_found AFTER UPDATE OF search_key, owner_id, group_id, deleted_at, kind ON library_items
WHEN OLD.search_key <> NEW.search_key OR OLD.owner_id <> NEW.owner_id OR OLD.group_id IS NOT NEW.group_id
  OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) OR OLD.kind <> NEW.kind BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = NEW.id);
  INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(NEW.search_key, key + 1, 1) AS a, substr(NEW.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(NEW.search_key))), '00', '0,'), ',') || ']'))),
    'treemedia kind' || NEW.kind || ' owner' || replace(NEW.owner_id, '-', '')
      || coalesce(' group' || replace(NEW.group_id, '-', ''), '')
  FROM tree_docs WHERE item_id = NEW.id AND NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER library_items_unnumbered AFTER DELETE ON library_items BEGIN
  DELETE FROM tree_search WHERE rowid IN (SELECT doc FROM tree_docs WHERE item_id = OLD.id);
  DELETE FROM tree_docs WHERE item_id = OLD.id;
END;
--> statement-breakpoint

-- What was there before. The keys of folders from before 0011 are lower(name): full-width letters and digits are folded here. What SQL
-- cannot fold (half-width kana, ligatures) is folded when such a folder is next named.
UPDATE folders SET search_key = (SELECT group_concat(iif(unicode(c) BETWEEN 65281 AND 65374, lower(char(unicode(c) - 65248)),
    iif(unicode(c) = 12288, ' ', c)), '' ORDER BY key)
  FROM (SELECT key, substr(folders.search_key, key + 1, 1) AS c
    FROM json_each('[' || rtrim(replace(hex(zeroblob(length(folders.search_key))), '00', '0,'), ',') || ']')))
  WHERE parent_id IS NOT NULL AND search_key = lower(name);
--> statement-breakpoint
INSERT INTO tree_docs (item_id) SELECT id FROM (
  SELECT id, created_at FROM folders WHERE parent_id IS NOT NULL
  UNION ALL SELECT id, created_at FROM spaces
  UNION ALL SELECT id, created_at FROM library_items) ORDER BY created_at, id;
--> statement-breakpoint
INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(folders.search_key, key + 1, 1) AS a, substr(folders.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(folders.search_key))), '00', '0,'), ',') || ']'))),
    'tree' || folders.folder_type || ' kindfolder owner' || replace(folders.owner_id, '-', '')
      || coalesce(' group' || replace(folders.group_id, '-', ''), '')
  FROM tree_docs JOIN folders ON folders.id = item_id WHERE deleted_at IS NULL;
--> statement-breakpoint
INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(spaces.search_key, key + 1, 1) AS a, substr(spaces.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(spaces.search_key))), '00', '0,'), ',') || ']'))),
    'treespace kindspace owner' || replace(spaces.owner_id, '-', '')
      || coalesce(' group' || replace(spaces.group_id, '-', ''), '')
  FROM tree_docs JOIN spaces ON spaces.id = item_id WHERE deleted_at IS NULL;
--> statement-breakpoint
INSERT INTO tree_search (rowid, grams, facets) SELECT doc,
    (SELECT group_concat(hex(iif(unicode(a) BETWEEN 12449 AND 12534 OR unicode(a) IN (12541, 12542), char(unicode(a) - 96), a)
      || iif(unicode(b) BETWEEN 12449 AND 12534 OR unicode(b) IN (12541, 12542), char(unicode(b) - 96), b)), ' ' ORDER BY key)
      FROM (SELECT key, substr(library_items.search_key, key + 1, 1) AS a, substr(library_items.search_key, key + 2, 1) AS b
        FROM json_each('[' || rtrim(replace(hex(zeroblob(length(library_items.search_key))), '00', '0,'), ',') || ']'))),
    'treemedia kind' || library_items.kind || ' owner' || replace(library_items.owner_id, '-', '')
      || coalesce(' group' || replace(library_items.group_id, '-', ''), '')
  FROM tree_docs JOIN library_items ON library_items.id = item_id WHERE deleted_at IS NULL;
