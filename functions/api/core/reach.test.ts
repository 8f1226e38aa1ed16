/** Checks that API callers can do all that screens can do: every use case is used by a declared call, or listed here with a reason. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createServices, type ServiceDeps, type Services } from "#functions/services";

type Area = keyof Services;
type UseCase = { [A in Area]: `${A}.${keyof Services[A] & string}` }[Area];

const CRON = "Runs by the cron trigger, without a caller.";
const CEREMONY = "Passkeys are created and used by a browser at the product's own address (WebAuthn).";
const TOKEN_PAGE = "Tokens are created by a logged-in user, on a page that shows them once.";
const SECOND_FACTOR =
  "An authenticator app is set up by a logged-in user, on a page that shows its secret and recovery codes once.";
const VISIT = "The visitor's page reports its visit itself.";
const LINK_PAGE =
  "A page states the effect of its link before it is used; the call that uses the link returns the effect.";
const SHOP = "The shop's pages keep the cart in the visitor's browser; programs use the store's own API.";
const LISTED =
  "For a page's list; authenticatedReads.readEvents reads the same list together with the caller.";
const FORM = "A change of one form; a call makes all of its changes together (changeItem).";
const TAG_TABLE =
  "A page shows the effect of a file before it is applied; importTags does both in one call, with `preview`.";
const CONFIRMATION =
  "For a page's confirmation before a deletion that can be undone; calls delete without it, and report where an item is used.";

/** Use cases that no call uses, with the reasons. */
const WITHOUT_CALL: Readonly<Partial<Record<UseCase, string>>> = {
  "tokens.createToken": TOKEN_PAGE,
  "tokens.listTokens": TOKEN_PAGE,
  "tokens.revokeToken": TOKEN_PAGE,
  "secondFactor.beginSecondFactor": SECOND_FACTOR,
  "secondFactor.resumeSecondFactor": SECOND_FACTOR,
  "secondFactor.addSecondFactor": SECOND_FACTOR,
  "secondFactor.renewRecoveryCodes": SECOND_FACTOR,
  "secondFactor.removeSecondFactor": SECOND_FACTOR,
  "secondFactor.getSecondFactor": SECOND_FACTOR,
  "secondFactor.listFactors":
    "For a user's page before a reset; resetSecondFactor returns 404 if there is no second factor.",
  "secondFactor.logInWithCode": "The second step on a page; programs send `one_time_code` with logIn.",
  "secondFactor.mailSecondFactorResets": CRON,
  "preparations.listWaitingPreparations":
    "For pages whose browser converts files; programs list media, whose `preparation` states which of them wait.",
  "idempotency.deleteExpiredResponses": CRON,
  "tokens.deleteExpiredTokens": CRON,
  "reports.findComparable": "For a page's choice of events; listEvents and listOwnEvents return them.",
  "reports.mostVisited": "For a page's choice of events; the reports of spaces and accounts list them.",
  "reports.reportFile": "The response of …/report, as a file of the page.",
  "reports.reportCsv": "The numbers of …/report as a spreadsheet.",
  "reports.visitCsv": "The visits behind the numbers of …/report, as a spreadsheet.",
  "visits.logVisit": VISIT,
  "visits.trackEvent": VISIT,
  "visits.deleteExpiredVisits": CRON,
  "webhooks.deliverDue": CRON,
  "webhooks.deleteExpiredMessages": CRON,
  "account.inspectEmailLink": LINK_PAGE,
  "passwords.inspectReset": LINK_PAGE,
  "invitations.inspectInvitation": LINK_PAGE,
  "content.restoreDeleted":
    "The editor's undo without scripts; programs send `restore` commands, or restore a state.",
  "events.checkEventName": "Tells a form what saving tells a caller: whether a name is taken.",
  "events.beginEvent":
    "The form of a new event, which puts a template into the untouched event of a new space; programs name the event to change.",
  "events.listOwnStores": "Offers stores whose tokens the user connected before; programs have the tokens.",
  "events.waitUntilStart": "Button of a toast; programs set the status with updateEvent.",
  "events.connectOwnStore": "Connects one of these stores; programs send its URL and token with updateEvent.",
  "events.readPublishChecks": "The checklist of the editor; its data is in the event and its content.",
  "events.recordPhoneView": "Records that an editor looked at the event at the size of a phone.",
  "events.recordSharedLink": "Records that an editor copied a link, or started an email with it.",
  "events.tryLink": "Records that an editor opened a link.",
  "users.findSampleEvent": "The list of spaces opens the sample.",
  "users.readFirstSteps":
    "The first steps on the list of spaces; the records that they follow from have calls of their own.",
  "users.dismissFirstSteps": "Hides the first steps on the list of spaces.",
  "spaces.createSampleSpace":
    "For pages: a space in the product's own gallery room. Programs create spaces from their own files.",
  "visitors.readClosedEvent": "The page of a closed link.",
  "tree.findSameNames": "Marks of a list; a program compares the names of a folder's items itself.",
  "events.listEvents": LISTED,
  "events.listOwnEvents": LISTED,
  "events.listOwnerDeletedEvents":
    "The trash of the spaces' list; a program reads the deleted events of each space.",
  "events.persistDueStatuses": CRON,
  "statusMails.sendStatusMails": CRON,
  "statusMails.inspectStatusMails": LINK_PAGE,
  "statusMails.stopStatusMails":
    "The link of a mail, for users who are not logged in; programs send `status_mails` with updateAccount.",
  "sessions.deleteExpiredSessions": CRON,
  "sessions.deleteOldGuesses": CRON,
  "purge.purgeTrash": CRON,
  "links.deleteExpiredLinks": CRON,
  "passkeys.deleteExpiredChallenges": CRON,
  "uploads.deleteExpiredUploads": CRON,
  "uploads.checkUploads": CRON,
  "preparations.deleteExpiredPreparations": CRON,
  "users.deleteExpiredUserImports": CRON,
  "sessions.exchangeTicket":
    "For browsers with a ticket of an earlier client; programs send such a ticket unchanged.",
  "passkeys.beginPasskey": CEREMONY,
  "passkeys.addPasskey": CEREMONY,
  "passkeys.beginPasskeyLogIn": CEREMONY,
  "passkeys.logInWithPasskey": CEREMONY,
  "library.openFile": "Files are at the `file_url` of their item.",
  "library.signFile": "Files are at the `file_url` of their item.",
  "library.openSignedFile": "Files are at the `file_url` of their item.",
  "content.checkTagImport": TAG_TABLE,
  "content.getTagImport": TAG_TABLE,
  "content.applyTagImport": TAG_TABLE,
  "packages.findTarget": "For a form, which shows the target of a file.",
  "packages.importForm": "A form's file, without scripts; programs send slices.",
  "packages.deleteExpiredPackageImports": CRON,
  "uploads.storeFiles": "A form's files, without scripts; programs send slices.",
  "spaces.eventFiles": "For a page; programs read the items of an event's media.",
  "content.getEventContent": "Two calls of programs in one read: getEvent and getContent.",
  "groups.getSpaceSharing": "The part of getSharing that a page shows.",
  "tree.getSpacePath": "getPath with the folder of a space.",
  "spaces.visibleFiles": "For a form, which shows its selected files.",
  "users.createUser": "Used by tests only; accounts are added by addUser.",
  "tree.listTargets": "For a page's choice of folders; listFolders returns them.",
  "tree.renameItem": FORM,
  "spaces.replaceSource": FORM,
  "spaces.setSpaceThumbnail": FORM,
  "tree.getItems": CONFIRMATION,
  "tree.countContents": CONFIRMATION,
  "tree.findUses": CONFIRMATION,
  "tree.findPublicEvents": CONFIRMATION,
  "shop.readProduct": SHOP,
  "shop.listCollections": SHOP,
  "shop.readCollection": SHOP,
  "shop.listAttached": SHOP,
  "shop.cachedAttached": SHOP,
  "shop.createCart": SHOP,
  "shop.readCart": SHOP,
  "shop.updateCartLine": SHOP,
  "shop.removeCartLine": SHOP,
};

const folder = new URL("..", import.meta.url);
const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => readFileSync(new URL(name.replaceAll("\\", "/"), folder), "utf8"))
  .join("\n");

it("every use case is used by a call, or listed with a reason", () => {
  const services: Readonly<Record<string, object>> = createServices({} as ServiceDeps);
  // The areas are getters of the prototype (createLazily).
  const areas = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(services)));
  const all = areas.flatMap((area) => Object.keys(services[area] ?? {}).map((name) => `${area}.${name}`));
  expect(all.length).toBeGreaterThan(100);
  // The formatter may break a line before the dot.
  const isCalled = (name: string) => new RegExp(`\\b${name.replace(".", "\\s*\\.")}\\(`).test(source);
  const unused = all.filter((name) => !isCalled(name));
  expect(unused.sort()).toEqual(Object.keys(WITHOUT_CALL).sort());
});
