import type { Lang } from "~/domain/shared/model";
import { account as accountEn } from "./en/account";
import { analytics as analyticsEn } from "./en/analytics";
import { api as apiEn } from "./en/api";
import { auth as authEn } from "./en/auth";
import { content as contentEn } from "./en/content";
import { events as eventsEn } from "./en/events";
import { folders as foldersEn } from "./en/folders";
import { library as libraryEn } from "./en/library";
import { mail as mailEn } from "./en/mail";
import { shared as sharedEn } from "./en/shared";
import { sharedOwners as sharedOwnersEn } from "./en/shared-owners";
import { spaces as spacesEn } from "./en/spaces";
import { store as storeEn } from "./en/store";
import { storeVisitors as storeVisitorsEn } from "./en/store-visitors";
import { transfer as transferEn } from "./en/transfer";
import { users as usersEn } from "./en/users";
import { visitors as visitorsEn } from "./en/visitors";
import { visitorsLate as visitorsLateEn } from "./en/visitors-late";
import { webhooks as webhooksEn } from "./en/webhooks";
import { account as accountJa } from "./ja/account";
import { analytics as analyticsJa } from "./ja/analytics";
import { api as apiJa } from "./ja/api";
import { auth as authJa } from "./ja/auth";
import { calls } from "./ja/calls";
import { content as contentJa } from "./ja/content";
import { events as eventsJa } from "./ja/events";
import { folders as foldersJa } from "./ja/folders";
import { library as libraryJa } from "./ja/library";
import { mail as mailJa } from "./ja/mail";
import { shared as sharedJa } from "./ja/shared";
import { sharedOwners as sharedOwnersJa } from "./ja/shared-owners";
import { spaces as spacesJa } from "./ja/spaces";
import { store as storeJa } from "./ja/store";
import { storeVisitors as storeVisitorsJa } from "./ja/store-visitors";
import { transfer as transferJa } from "./ja/transfer";
import { users as usersJa } from "./ja/users";
import { visitors as visitorsJa } from "./ja/visitors";
import { visitorsLate as visitorsLateJa } from "./ja/visitors-late";
import { webhooks as webhooksJa } from "./ja/webhooks";
import type { MessageTree, Resources } from "./messages";

const en: Resources = {
  account: accountEn,
  analytics: analyticsEn,
  api: apiEn,
  auth: authEn,
  content: contentEn,
  events: eventsEn,
  folders: foldersEn,
  library: libraryEn,
  mail: mailEn,
  shared: sharedEn,
  "shared-owners": sharedOwnersEn,
  spaces: spacesEn,
  store: storeEn,
  "store-visitors": storeVisitorsEn,
  transfer: transferEn,
  users: usersEn,
  visitors: visitorsEn,
  "visitors-late": visitorsLateEn,
  webhooks: webhooksEn,
};

const ja: Resources = {
  account: accountJa,
  analytics: analyticsJa,
  api: apiJa,
  auth: authJa,
  content: contentJa,
  events: eventsJa,
  folders: foldersJa,
  library: libraryJa,
  mail: mailJa,
  shared: sharedJa,
  "shared-owners": sharedOwnersJa,
  spaces: spacesJa,
  store: storeJa,
  "store-visitors": storeVisitorsJa,
  transfer: transferJa,
  users: usersJa,
  visitors: visitorsJa,
  "visitors-late": visitorsLateJa,
  webhooks: webhooksJa,
};

/** All messages by language. */
export const resources: Readonly<Record<Lang, Resources>> = { ja, en };

/**
 * Returns the messages of a language by namespace, each time the same ones. In the worker's build, scripts/lib/build/packed-messages.ts replaces this module
 * by one that unpacks them.
 */
export const readMessages = (lang: Lang): Readonly<Record<string, MessageTree>> =>
  // The declarations of the API's calls are written in English (functions/api); `calls` are their translations.
  lang === "ja" ? { ...ja, calls } : { ...en };
