import type { User } from "./model";

const MEGABYTE = 1024 * 1024;

/** Characters of an event's name (§9). Counted by countCharacters, as all lengths of text here. */
export const EVENT_NAME_MAX = 32;
/** Characters of an event's details (§9). */
export const EVENT_DETAIL_MAX = 1000;
/** Bytes of one uploaded file: 300 MB (§9), a megabyte being 1024 × 1024 bytes. */
export const UPLOAD_MAX_BYTES = 300 * MEGABYTE;
/** The same in megabytes, for messages. */
export const UPLOAD_MAX_MB = 300;
/**
 * Megabytes of one form with files, which browsers without scripts send whole: Cloudflare takes no larger request on its usual
 * plans. Said to people, and refused by the platform alone.
 */
export const FORM_MAX_MB = 100;
/** Bytes of each slice of an upload but the last. A caller holds three at once, and R2 takes none below 5 MB. */
export const UPLOAD_PART_BYTES = 8 * MEGABYTE;
/** Uploads that one person may have open. */
export const UPLOADS_OPEN_MAX = 500;
/** Files that one form without scripts can store: one request may ask the database only so much. */
export const FORM_FILES_MAX = 60;
/** Time limit of an upload or an import after its opening, in hours. Its declared bytes are reserved until then. */
export const UPLOAD_KEEP_HOURS = 24;
/** Characters of a file's name; longer ones are cut. */
export const FILE_NAME_MAX = 200;
/** Characters of a file's name that is looked at at all: no system has longer ones. */
export const FILE_NAME_SENT_MAX = 1000;
/** Characters by which a sender knows a file again. */
export const FINGERPRINT_MAX = 200;
/** Bytes of the still picture of what is no picture itself. */
export const THUMBNAIL_MAX_BYTES = 256 * 1024;
/** Pixels of its longer side. */
export const THUMBNAIL_SIDE_MAX = 2048;
/** Pixels of a picture's longer side: what browsers can show. */
export const PICTURE_SIDE_MAX = 16_384;
/** Pixels of a picture: a panorama of that width. */
export const PICTURE_PIXELS_MAX = PICTURE_SIDE_MAX * (PICTURE_SIDE_MAX / 2);
/** Limits of the Cloudflare Images binding; `side` is the longer side in pixels. The browser reduces larger pictures. */
export const IMAGE_TOOL_MAX = { bytes: 100_000_000, pixels: 100_000_000, side: 12_000 } as const;
/** Bytes of the description (JSON) in a 3D model. */
export const MODEL_JSON_MAX_BYTES = 16 * MEGABYTE;
/** Bytes that a 3D model may come to when it is unpacked. */
export const MODEL_UNPACKED_MAX_BYTES = 1024 * MEGABYTE;
/** Maximum number of files of one conversion of a library item. Most of them are tiles of a large picture. */
export const PREPARED_FILES_MAX = 1000;
/** Bytes of all files of one conversion. */
export const PREPARED_MAX_BYTES = 2 * UPLOAD_MAX_BYTES;
/** Bytes of the smaller version of a file that viewers show first. */
export const PREVIEW_MAX_BYTES = 1.5 * MEGABYTE;
/** Bytes of a tile of a large picture. */
export const PREPARED_TILE_MAX_BYTES = 4 * MEGABYTE;
/** Rows of a table page (§9). */
export const PAGE_SIZE = 20;
/** Rows that a caller of the API may ask for at once. */
export const PAGE_SIZE_MAX = 100;
/** How long a toast stays, in milliseconds (§9). */
export const TOAST_MS = 3000;

/** Products of a list page, and images and options of a product (§9). */
export const PRODUCT_PAGE_SIZE = 250;
/** Cart lines fetched (§9). */
export const CART_LINES_MAX = 250;
/** Collections of a product, and products of each (§9). */
export const PRODUCT_COLLECTIONS = 5;
/** Products shown of each collection (§9). */
export const COLLECTION_PRODUCTS = 5;
/** Collections of a store that are shown, each with some of its products. */
export const STORE_COLLECTIONS = 50;
/** Characters of what a cart calls a line: a product's title with those of its options. */
export const LINE_TITLE_MAX = 600;
/** Of one line of a cart. */
export const CART_QUANTITY_MAX = 1_000_000;
/** Variants that are added to a cart at once. The API takes 250 of everything. */
export const CART_ITEMS_MAX = 250;
/** Products that an event shows beside those of its tags. */
export const EVENT_PRODUCTS_MAX = 50;
/** Characters of a search of products. */
export const STORE_SEARCH_MAX = 100;
/** Characters of a cursor of the store's. */
export const STORE_CURSOR_MAX = 1000;
/** The version of the store's API (§7). */
export const STOREFRONT_API_VERSION = "2025-01";
/** Retries of a store call (§9). */
export const STOREFRONT_RETRIES_MAX = 3;
/** Wait before a retry when the store names none, in milliseconds (§9). */
export const STOREFRONT_RETRY_WAIT_MS = 1000;

/** Access tokens that an account may have at once. */
export const TOKENS_MAX = 20;
/** Characters of an access token's name. */
export const TOKEN_NAME_MAX = 64;
/** Webhooks that an account may have. */
export const WEBHOOKS_MAX = 10;
/** Characters of a receiver's address. */
export const WEBHOOK_URL_MAX = 1000;

/** Characters of a space's name. */
export const SPACE_NAME_MAX = 64;
/** Characters of a folder's name. */
export const FOLDER_NAME_MAX = 64;
/** Folders in one another, the root folder not counted. */
export const FOLDER_DEPTH_MAX = 32;
/** Folders of an account in each of its two trees. */
export const FOLDERS_MAX = 5000;
/** Characters of a store's address and access token. */
export const STORE_URL_MAX = 255;
/** Characters of a store's access token. */
export const STORE_TOKEN_MAX = 255;
/** Characters of an e-mail address (RFC 5321 §4.5.3.1.3). */
export const EMAIL_MAX = 254;
/** Characters of a user's password. */
export const PASSWORD_MIN = 8;
/** Characters of any password; more would only make hashing slow. */
export const PASSWORD_MAX = 128;
/** Characters of a person's first name, and of the last. */
export const PERSON_NAME_MAX = 50;
/** Characters of a company's name. */
export const COMPANY_NAME_MAX = 100;
/** Characters of a passkey's name. */
export const PASSKEY_NAME_MAX = 64;
/** Passkeys of one account. */
export const PASSKEYS_MAX = 20;
/** Spaces that a licence may name. */
export const SPACE_LICENSE_MAX = 10_000;
/** What a new account gets unless somebody says otherwise: spaces, and gigabytes of storage. */
export const DEFAULT_LICENSE = { spaces: 10, gigabytes: 10 } as const;
/** The same as an account has it, the storage in bytes. */
export const DEFAULT_LIMITS: Pick<User, "spaceLicense" | "storageLimit"> = {
  spaceLicense: DEFAULT_LICENSE.spaces,
  storageLimit: DEFAULT_LICENSE.gigabytes * 1024 * MEGABYTE,
};
/** The largest storage limit of an account, in gigabytes. */
export const STORAGE_LIMIT_MAX_GB = 100_000;
/** Accounts that one form changes at once. */
export const BULK_MAX = 100;
/** Characters of a group's name. */
export const GROUP_NAME_MAX = 64;
/** Lines of users that one file may have. */
export const IMPORT_LINES_MAX = 2000;
/** Bytes of such a file, a megabyte being 1024 × 1024 bytes. */
export const IMPORT_MAX_BYTES = MEGABYTE;
/** Megabytes of a package: an event or a space in one file. */
export const PACKAGE_MAX_MB = 2048;
/** The same in bytes. */
export const PACKAGE_MAX_BYTES = PACKAGE_MAX_MB * MEGABYTE;
/** Bytes of what a package says of itself, which is read whole. */
export const PACKAGE_JSON_MAX_BYTES = 24 * MEGABYTE;
/** How deep that may be nested; what is written is 9 deep. */
export const PACKAGE_DEPTH_MAX = 24;
/** Files of a package, still pictures counted as well: each is read and stored by itself. */
export const PACKAGE_FILES_MAX = 500;
/** Entries of a package's archive: its files, and what programs add to archives. */
export const PACKAGE_ENTRIES_MAX = 2000;
/** Events of a space, those in the trash not counted. */
export const EVENTS_PER_SPACE_MAX = 50;
/** Events of an owner beside the first event of each space of the licence, those in the trash counted: see eventLimit. */
export const EVENTS_PER_OWNER_MAX = 1000;
/** Megabytes of the content of all events of an owner: tags, media, texts, scenes and histories. */
export const CONTENT_MAX_MB = 256;
/** The same in bytes. */
export const CONTENT_MAX_BYTES = CONTENT_MAX_MB * MEGABYTE;
/** Files and web media of an owner's library, those in the trash counted. */
export const LIBRARY_ITEMS_MAX = 100_000;
/** Bytes of one account's stored responses to calls with an Idempotency-Key. Beyond them a repeated call only learns that it was done. */
export const KEPT_ANSWERS_MAX_BYTES = 32 * MEGABYTE;
/** Factor of the storage limit that an owner's library and its trash may hold together. */
export const TRASH_FACTOR = 2;
/** Megabytes of a CSV file of tags. */
export const TAG_CSV_MAX_MB = 16;
/** The same in bytes. */
export const TAG_CSV_MAX_BYTES = TAG_CSV_MAX_MB * MEGABYTE;
/** Imports that one person may have under way. */
export const IMPORTS_OPEN_MAX = 3;
/** Imports that may be begun for one owner in a minute. The binding IMPORT_LIMIT in wrangler.toml has the same number. */
export const IMPORTS_PER_MINUTE = 20;
/** Copy calls for one owner per minute. The binding COPY_LIMIT in wrangler.toml has the same number. */
export const COPIES_PER_MINUTE = 10;
/** Characters of an event's publish password. */
export const PUBLISH_PASSWORD_MIN = 8;
/** Characters of a tag's title. */
export const TAG_TITLE_MAX = 100;
/** Characters of a tag's body. */
export const TAG_BODY_MAX = 2000;
/** Keywords of a tag. */
export const TAG_KEYWORDS_MAX = 20;
/** Characters of a keyword. */
export const KEYWORD_MAX = 32;
/** Media of a tag. */
export const TAG_MEDIA_MAX = 50;
/** Characters of a medium's title. */
export const MEDIA_TITLE_MAX = 100;
/** Characters of a medium's description. */
export const MEDIA_DESCRIPTION_MAX = 2000;
/** Characters of a link in a tag. */
export const LINK_URL_MAX = 2048;
/** How far from the origin a thing in a space may be, in metres, on each axis. */
export const COORDINATE_MAX = 10_000;
/** Panoramas of a space. */
export const PANORAMA_NODES_MAX = 200;
/** How high a visitor's eyes may be above the floor, in metres, and how high they are unless somebody says otherwise. */
export const EYE_HEIGHT = { min: 0.2, max: 10, usual: 1.6 } as const;
/** How wide a placed medium may be, in metres. */
export const PLACEMENT_WIDTH_MAX = 100;
/** How far the sound of a placed medium may be heard, in metres, and how far it is unless somebody says otherwise. */
export const PLACEMENT_REACH = { min: 0.5, max: 100, usual: 8 } as const;
/** Tags of an event. */
export const EVENT_TAGS_MAX = 1000;
/** Media of an event. */
export const EVENT_MEDIA_MAX = 200;
/** Stops of an event's tour. */
export const TOUR_STOPS_MAX = 100;
/** Seconds that a stop of a tour is shown, and how many unless somebody says otherwise. */
export const TOUR_SECONDS = { min: 1, max: 600, usual: 8 } as const;
/** Characters of a stop's title. */
export const TOUR_TITLE_MAX = 100;
/** Characters of a stop's text. */
export const TOUR_TEXT_MAX = 1000;
/** Metres that a floor plan may show from side to side. */
export const PLAN_WIDTH_MAX = 2000;
/** Characters of a product's title. */
export const PRODUCT_TITLE_MAX = 255;
/** Bytes of what is sent to the API but for files, which come in slices. */
export const API_BODY_MAX = MEGABYTE;
/** Commands of one call that edits an event's content. */
export const CONTENT_COMMANDS_MAX = 100;
/** Those among them that write the whole scene or the whole order. */
export const CONTENT_WHOLE_COMMANDS_MAX = 5;
/** Changes that one reading of an event's history answers. */
export const CHANGES_AT_ONCE = 200;
/** Bytes of what they have changed in one answer; a change alone may be larger. */
export const CHANGES_MAX_BYTES = 2 * MEGABYTE;
/** Parameters kept with an event. */
export const URL_PARAMS_MAX = 60;
/** Characters of the value of a parameter that is not defined. */
export const URL_PARAM_VALUE_MAX = 200;
/** Characters of a search text. */
export const SEARCH_MAX = 100;
/** How long deleted things stay in the trash, in days. */
export const TRASH_DAYS = 30;

/** Whether the user's licence has room for more spaces (§3 space_license). */
export function hasSpaceLicense(user: Pick<User, "spaceLicense" | "spaceCount">, adding = 1): boolean {
  return user.spaceCount + adding <= user.spaceLicense;
}

/** Number of events that an owner may have. Each space of the licence adds its first event. */
export function eventLimit(user: Pick<User, "spaceLicense">): number {
  return EVENTS_PER_OWNER_MAX + user.spaceLicense;
}

/** Bytes left in the user's library; never negative. */
export function storageLeft(user: Pick<User, "storageLimit" | "storageUsed">): number {
  return Math.max(0, user.storageLimit - user.storageUsed);
}

/** Why a file cannot be stored, as a key of a message; null when it can. */
export function uploadProblem(
  user: Pick<User, "storageLimit" | "storageUsed">,
  bytes: number,
):
  | "library:errors.upload.empty"
  | "library:errors.upload.tooLarge"
  | "library:errors.upload.capacity"
  | null {
  if (!(bytes > 0)) return "library:errors.upload.empty";
  if (bytes > UPLOAD_MAX_BYTES) return "library:errors.upload.tooLarge";
  return bytes > storageLeft(user) ? "library:errors.upload.capacity" : null;
}
