ALTER TABLE `event_scenes` ADD `products` text DEFAULT '[]' NOT NULL CONSTRAINT "event_scenes_products" CHECK(json_valid(products));
