import type { Lang } from "~/domain/shared/model";
import { createI18n, type Translation } from "./create-i18n";
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
import type { Resources } from "./messages";

const en: Resources = {
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

/** All messages by language, for the server and for tests. */
export const resources: Readonly<Record<Lang, Resources>> = { ja, en };

const instances: Partial<Record<Lang, Translation>> = {};

/** The instances of both languages, for the server. It keeps one of each, which is created at its first use. */
export const languages: Readonly<Record<Lang, Translation>> = {
  get ja() {
    // The declarations of the API's calls are written in English (functions/api); these are their translations.
    instances.ja ??= createI18n("ja", { ...ja, calls });
    return instances.ja;
  },
  get en() {
    instances.en ??= createI18n("en", { ...en });
    return instances.en;
  },
};
