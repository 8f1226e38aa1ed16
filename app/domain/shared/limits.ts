/** Limits of the app. A constant is the maximum of what its comment names, unless the comment states otherwise. */
import type { User } from "./model";

const MEGABYTE = 1024 * 1024;

/** Characters of an event's name (specification §9). countCharacters counts this and most other lengths of text in this file. */
export const EVENT_NAME_MAX = 32;
/** Characters of an event's details (specification §9). */
export const EVENT_DETAIL_MAX = 1000;
/** Bytes of one uploaded file: 300 MB (specification §9). A megabyte is 1024 × 1024 bytes. */
export const UPLOAD_MAX_BYTES = 300 * MEGABYTE;
/** The same in megabytes, for messages. */
export const UPLOAD_MAX_MB = 300;
/**
 * Megabytes of one form with files. Browsers without scripts send the whole form in one request, and Cloudflare's usual plans accept no larger
 * request. Pages show this limit; only Cloudflare enforces it.
 */
export const FORM_MAX_MB = 100;
/** Bytes of each slice of an upload except the last. A browser sends up to three slices at once, and R2 accepts no slice below 5 MB. */
export const UPLOAD_PART_BYTES = 8 * MEGABYTE;
/** Uploads that one person may have open. */
export const UPLOADS_OPEN_MAX = 500;
/** Files that one form without scripts can store. The number of database queries per request is limited. */
export const FORM_FILES_MAX = 60;
/** Time limit of an upload or an import after its opening, in hours. Its declared bytes are reserved until then. */
export const UPLOAD_KEEP_HOURS = 24;
/** Characters of a file's name; longer ones are cut. */
export const FILE_NAME_MAX = 200;
/** Characters of a sent file name that is accepted for truncation. No system has longer names. */
export const FILE_NAME_SENT_MAX = 1000;
/** Characters of the fingerprint by which a sender identifies a file. */
export const FINGERPRINT_MAX = 200;
/** Bytes of a thumbnail, except for web media. */
export const THUMBNAIL_MAX_BYTES = 256 * 1024;
/** Pixels of the longer side of a thumbnail. */
export const THUMBNAIL_SIDE_MAX = 2048;
/** Pixels of an image's longer side. Not all browsers and graphics cards show larger images. */
export const IMAGE_SIDE_MAX = 16_384;
/** Pixels of an image: the area of a 2 : 1 panorama whose width is IMAGE_SIDE_MAX. */
export const IMAGE_PIXELS_MAX = IMAGE_SIDE_MAX * (IMAGE_SIDE_MAX / 2);
/** Limits of the Cloudflare Images binding; `side` is the longer side in pixels. The browser reduces larger images. */
export const IMAGE_TOOL_MAX = { bytes: 100_000_000, pixels: 100_000_000, side: 12_000 } as const;
/** Bytes of the description (JSON) in a 3D model. */
export const MODEL_JSON_MAX_BYTES = 16 * MEGABYTE;
/** Bytes of an unpacked 3D model. */
export const MODEL_UNPACKED_MAX_BYTES = 1024 * MEGABYTE;
/** Maximum number of files of one conversion of a library item. Most of them are tiles of a large image. */
export const PREPARED_FILES_MAX = 1000;
/** Bytes of all files of one conversion. */
export const PREPARED_MAX_BYTES = 2 * UPLOAD_MAX_BYTES;
/** Bytes of the smaller version of a file that viewers show first. */
export const PREVIEW_MAX_BYTES = 1.5 * MEGABYTE;
/** Bytes of a tile of a large image. */
export const PREPARED_TILE_MAX_BYTES = 4 * MEGABYTE;
/** Rows of a table page (specification §9). */
export const PAGE_SIZE = 20;
/** Rows that an API call may request at once. */
export const PAGE_SIZE_MAX = 100;
/** Display time of a toast without an action, in milliseconds (specification §9). */
export const TOAST_MS = 3000;
/** Time for which a change can be undone from its toast, and display time of a toast with an action, in milliseconds. */
export const UNDO_MS = 10 * 60_000;

/** Products of a list page, images and options of a product (specification §9), and variants of a product in one response. */
export const PRODUCT_PAGE_SIZE = 250;
/** Cart lines fetched (specification §9). */
export const CART_LINES_MAX = 250;
/** Collections of a product, and products of each (specification §9). */
export const PRODUCT_COLLECTIONS = 5;
/** Products shown of each collection (specification §9). */
export const COLLECTION_PRODUCTS = 5;
/** Collections of a store that are shown, each with some of its products. */
export const STORE_COLLECTIONS = 50;
/** Characters of the title of a cart line: the titles of a product and of its options. */
export const LINE_TITLE_MAX = 600;
/** Quantity of one cart line. */
export const CART_QUANTITY_MAX = 1_000_000;
/** Variants that are added to a cart at once. The store's API accepts 250 entries in every list. */
export const CART_ITEMS_MAX = 250;
/** Products that an event shows in addition to the products of its tags. */
export const EVENT_PRODUCTS_MAX = 50;
/** Characters of a search of products. */
export const STORE_SEARCH_MAX = 100;
/** Characters of a cursor of the store's API. */
export const STORE_CURSOR_MAX = 1000;
/** The version of the store's API (specification §7). */
export const STOREFRONT_API_VERSION = "2025-01";
/** Retries of a store call (specification §9). */
export const STOREFRONT_RETRIES_MAX = 3;
/** Wait before a retry when the store sends no Retry-After, in milliseconds (specification §9). */
export const STOREFRONT_RETRY_WAIT_MS = 1000;

/** Active API tokens (neither expired nor revoked) that an account may have. */
export const TOKENS_MAX = 20;
/** Characters of an API token's name. */
export const TOKEN_NAME_MAX = 64;
/** Webhooks that an account may have. */
export const WEBHOOKS_MAX = 10;
/** Characters of a webhook's URL. */
export const WEBHOOK_URL_MAX = 1000;

/** Characters of a space's name. */
export const SPACE_NAME_MAX = 64;
/** Characters of a folder's name. */
export const FOLDER_NAME_MAX = 64;
/** Depth of nested folders, without the root folder. */
export const FOLDER_DEPTH_MAX = 32;
/** Folders of an account in each of its two trees. */
export const FOLDERS_MAX = 5000;
/** Characters of a store's URL. */
export const STORE_URL_MAX = 255;
/** Characters of a store's access token. */
export const STORE_TOKEN_MAX = 255;
/** Characters of an e-mail address (RFC 5321 §4.5.3.1.3). */
export const EMAIL_MAX = 254;
/** Minimum characters of a user's password. */
export const PASSWORD_MIN = 8;
/** Characters of any password. Longer ones would only slow down hashing. */
export const PASSWORD_MAX = 128;
/** Characters of a person's first name, and of the last. */
export const PERSON_NAME_MAX = 50;
/** Characters of a company's name. */
export const COMPANY_NAME_MAX = 100;
/** Characters of a passkey's id in base64url: 1,023 bytes (WebAuthn Level 3 §7.1). */
export const PASSKEY_ID_MAX = 1364;
/** Characters of a passkey's name. */
export const PASSKEY_NAME_MAX = 64;
/** Passkeys of one account. */
export const PASSKEYS_MAX = 20;
/** Spaces that a licence may include. */
export const SPACE_LICENSE_MAX = 10_000;
/** The default limits of a new account: number of spaces, and gigabytes of storage. */
export const DEFAULT_LICENSE = { spaces: 10, gigabytes: 10 } as const;
/** The default limits as fields of an account, with the storage in bytes. */
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
/** Lines of a CSV file from which users are imported. */
export const IMPORT_LINES_MAX = 2000;
/** Bytes of such a file. */
export const IMPORT_MAX_BYTES = MEGABYTE;
/** Megabytes of a package: an event or a space in one file. */
export const PACKAGE_MAX_MB = 2048;
/** The same in bytes. */
export const PACKAGE_MAX_BYTES = PACKAGE_MAX_MB * MEGABYTE;
/** Bytes of a package's JSON description, which is read into memory as a whole. */
export const PACKAGE_JSON_MAX_BYTES = 24 * MEGABYTE;
/** Nesting depth of a package's JSON description. Our own export is 9 levels deep. */
export const PACKAGE_DEPTH_MAX = 24;
/** Files of a package, including thumbnails. Each is read and stored separately. */
export const PACKAGE_FILES_MAX = 500;
/** Entries of a package's archive: its files, and entries that archive programs add. */
export const PACKAGE_ENTRIES_MAX = 2000;
/** Events of a space, without those in the trash. */
export const EVENTS_PER_SPACE_MAX = 50;
/** Events of an owner in addition to the first event of each licensed space, including those in the trash. See eventLimit. */
export const EVENTS_PER_OWNER_MAX = 1000;
/** Megabytes of the content of all events of an owner: tags, media, texts, scenes and histories. */
export const CONTENT_MAX_MB = 256;
/** The same in bytes. */
export const CONTENT_MAX_BYTES = CONTENT_MAX_MB * MEGABYTE;
/** Files and web media of an owner's library, including those in the trash. */
export const LIBRARY_ITEMS_MAX = 100_000;
/**
 * Bytes of one account's stored responses to calls with an Idempotency-Key. Beyond them, a repeated call is only reported as done, without its
 * response.
 */
export const STORED_RESPONSES_MAX_BYTES = 32 * MEGABYTE;
/** The library and its trash together may hold this multiple of the owner's storage limit. */
export const TRASH_FACTOR = 2;
/** Megabytes of a CSV file of tags. */
export const TAG_CSV_MAX_MB = 16;
/** The same in bytes. */
export const TAG_CSV_MAX_BYTES = TAG_CSV_MAX_MB * MEGABYTE;
/** Imports that one person may have open. */
export const IMPORTS_OPEN_MAX = 3;
/** Imports that may be started for one owner per minute. The binding IMPORT_LIMIT in wrangler.toml has the same number. */
export const IMPORTS_PER_MINUTE = 20;
/** Copy calls for one owner per minute. The binding COPY_LIMIT in wrangler.toml has the same number. */
export const COPIES_PER_MINUTE = 10;
/** Minimum characters of an event's publish password. */
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
/** Characters of a media item's title. */
export const MEDIA_TITLE_MAX = 100;
/** Characters of a media item's description. */
export const MEDIA_DESCRIPTION_MAX = 2000;
/** Characters of the URL of a tag's link or of a web media item. */
export const LINK_URL_MAX = 2048;
/** Maximum distance of an item from the origin of a space on each axis, in metres. */
export const COORDINATE_MAX = 10_000;
/** Panoramas of a space. */
export const PANORAMA_NODES_MAX = 200;
/** A visitor's eye height above the floor, in metres: the permitted range and the default (`usual`). */
export const EYE_HEIGHT = { min: 0.2, max: 10, usual: 1.6 } as const;
/** Maximum width of placed media, in metres. */
export const PLACEMENT_WIDTH_MAX = 100;
/** The distance at which the sound of placed media is heard, in metres: the permitted range and the default (`usual`). */
export const PLACEMENT_REACH = { min: 0.5, max: 100, usual: 8 } as const;
/** Tags of an event. */
export const EVENT_TAGS_MAX = 1000;
/** Media of an event. */
export const EVENT_MEDIA_MAX = 200;
/** Stops of an event's tour. */
export const TOUR_STOPS_MAX = 100;
/** Display time of a tour's stop, in seconds: the permitted range and the default (`usual`). */
export const TOUR_SECONDS = { min: 1, max: 600, usual: 8 } as const;
/** Characters of a stop's title. */
export const TOUR_TITLE_MAX = 100;
/** Characters of a stop's text. */
export const TOUR_TEXT_MAX = 1000;
/** Maximum width of the area that a floor plan shows, in metres. */
export const PLAN_WIDTH_MAX = 2000;
/** Characters of a product's title. */
export const PRODUCT_TITLE_MAX = 255;
/** Bytes of a request body of the API, except for the slices of files. */
export const API_BODY_MAX = MEGABYTE;
/**
 * Bytes of a call that continues after its page has closed. Browsers limit the sum of all such calls to 64 KB, and other scripts may use a part of
 * it.
 */
export const LEAVING_CALL_BYTES_MAX = 58_000;
/** Commands of one call that edits an event's content. */
export const CONTENT_COMMANDS_MAX = 100;
/** Commands of one call that write the whole scene or the whole order. */
export const CONTENT_WHOLE_COMMANDS_MAX = 5;
/** Changes in one response of an event's history. */
export const CHANGES_AT_ONCE = 200;
/** Bytes of the changes in one response of an event's history. A single change may be larger. */
export const CHANGES_MAX_BYTES = 2 * MEGABYTE;
/** URL parameters stored with an event. */
export const URL_PARAMS_MAX = 60;
/** Characters of the value of a URL parameter. */
export const URL_PARAM_VALUE_MAX = 200;
/** Characters of a search text. */
export const SEARCH_MAX = 100;
/** Days for which deleted items stay in the trash. */
export const TRASH_DAYS = 30;

/** Returns whether the user's licence has room for one more space (specification §3 space_license). */
export function hasSpaceLicense(user: Pick<User, "spaceLicense" | "spaceCount">): boolean {
  return user.spaceCount < user.spaceLicense;
}

/** Returns the number of events that an owner may have. Each licensed space adds one event. */
export function eventLimit(user: Pick<User, "spaceLicense">): number {
  return EVENTS_PER_OWNER_MAX + user.spaceLicense;
}

/** Returns the bytes left in the user's library; never negative. */
export function storageLeft(user: Pick<User, "storageLimit" | "storageUsed">): number {
  return Math.max(0, user.storageLimit - user.storageUsed);
}

/** Returns the message key of the reason why a file cannot be stored; null when it can. */
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
