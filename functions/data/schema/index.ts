/**
 * The tables (specification §3 and additions of the design). Columns are snake_case, instants are ISO text with milliseconds unless a comment
 * gives another unit, structured values are JSON text. Counters, events.revision and space_files are written only by triggers (migrations), so that
 * every writer updates them.
 */
import {
  visitAccountLive,
  visitAccountTotals,
  visitLive,
  visitProducts,
  visitRanks,
  visitRooms,
  visitSpaceLive,
  visitSpaceTotals,
  visitTotals,
} from "./analytics";
import {
  logInGuesses,
  logInNetworks,
  passkeyChallenges,
  passkeys,
  secondFactorResets,
  secondFactors,
  sessions,
  userLinks,
} from "./auth";
import { eventMedia, eventScenes, eventTags, tagMedia } from "./content";
import { eventChanges, eventChecks, eventNames, events, statusMails } from "./events";
import { folders, treeDocs } from "./folders";
import { idempotentResponses } from "./idempotency";
import { libraryItems, preparations, preparedFiles, storedFiles, uploadParts, uploads } from "./library";
import { spaceFiles, spaces } from "./spaces";
import { storeResponses } from "./store";
import { imports } from "./transfer";
import { audit, groupMembers, groups, userCounts, userDocs, userImports, users } from "./users";
import { accessTokens, webhookMessages, webhooks } from "./webhooks";

export * from "./analytics";
export * from "./auth";
export * from "./content";
export * from "./events";
export * from "./folders";
export * from "./idempotency";
export * from "./library";
export * from "./shared";
export * from "./spaces";
export * from "./store";
export * from "./transfer";
export * from "./users";
export * from "./webhooks";

/** Every table by its name in the code. */
export const tables = {
  users,
  userCounts,
  userDocs,
  userImports,
  imports,
  sessions,
  userLinks,
  passkeys,
  passkeyChallenges,
  secondFactors,
  secondFactorResets,
  accessTokens,
  webhooks,
  webhookMessages,
  logInGuesses,
  logInNetworks,
  idempotentResponses,
  groups,
  groupMembers,
  folders,
  spaces,
  spaceFiles,
  events,
  eventNames,
  eventTags,
  eventMedia,
  tagMedia,
  eventScenes,
  eventChanges,
  eventChecks,
  libraryItems,
  // After the tables that it numbers: tests delete all rows in this order, and the triggers of those tables look up the numbers.
  treeDocs,
  storedFiles,
  preparations,
  preparedFiles,
  uploads,
  uploadParts,
  visitTotals,
  visitSpaceTotals,
  visitAccountTotals,
  visitRanks,
  visitRooms,
  visitLive,
  visitSpaceLive,
  visitAccountLive,
  visitProducts,
  storeResponses,
  statusMails,
  audit,
};
