import type { ParseKeys } from "i18next";
import type { account } from "./en/account";
import type { analytics } from "./en/analytics";
import type { api } from "./en/api";
import type { auth } from "./en/auth";
import type { content } from "./en/content";
import type { events } from "./en/events";
import type { folders } from "./en/folders";
import type { library } from "./en/library";
import type { mail } from "./en/mail";
import type { shared } from "./en/shared";
import type { sharedOwners } from "./en/shared-owners";
import type { spaces } from "./en/spaces";
import type { store } from "./en/store";
import type { storeVisitors } from "./en/store-visitors";
import type { transfer } from "./en/transfer";
import type { users } from "./en/users";
import type { visitors } from "./en/visitors";
import type { visitorsLate } from "./en/visitors-late";
import type { webhooks } from "./en/webhooks";

/** The shape of a language's messages: the same keys as T, each a string. Makes a missing or surplus key a type error. */
export type Messages<T> = { readonly [K in keyof T]: T[K] extends string ? string : Messages<T[K]> };

/** A tree of messages: texts by key, in groups. */
export interface MessageTree {
  readonly [key: string]: string | MessageTree;
}

/** All messages by namespace. */
export interface Resources {
  readonly account: Messages<typeof account>;
  readonly analytics: Messages<typeof analytics>;
  readonly api: Messages<typeof api>;
  readonly auth: Messages<typeof auth>;
  readonly content: Messages<typeof content>;
  readonly events: Messages<typeof events>;
  readonly folders: Messages<typeof folders>;
  readonly library: Messages<typeof library>;
  readonly mail: Messages<typeof mail>;
  readonly shared: Messages<typeof shared>;
  readonly "shared-owners": Messages<typeof sharedOwners>;
  readonly spaces: Messages<typeof spaces>;
  readonly store: Messages<typeof store>;
  readonly "store-visitors": Messages<typeof storeVisitors>;
  readonly transfer: Messages<typeof transfer>;
  readonly users: Messages<typeof users>;
  readonly visitors: Messages<typeof visitors>;
  readonly "visitors-late": Messages<typeof visitorsLate>;
  readonly webhooks: Messages<typeof webhooks>;
}

/** A group of messages that is loaded as a unit: a feature, or its texts for visitors. */
export type Namespace = keyof Resources;

/** Every key of a message: "spaces:detail.colName". A key that does not exist is a type error. */
export type MessageKey = Extract<ParseKeys, `${string}:${string}`>;

/** Interpolation values of a message: `{{count}}`. Numbers are formatted. `count` also chooses between a key's `_one` and `_other`. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** i18next's `t` for our keys. Its own type is inferred for every call, which takes gigabytes of memory with so many keys. */
export type Translate = (key: MessageKey, values?: MessageValues) => string;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: readonly ["shared", ...Exclude<Namespace, "shared">[]];
    resources: Resources;
  }
}
