/** Whatever a screen does, a program can do: every use case is asked by a declared call, or there is a reason why not. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createServices, type ServiceDeps, type Services } from "#functions/services";

type Area = keyof Services;
type UseCase = { [A in Area]: `${A}.${keyof Services[A] & string}` }[Area];

const CLOCK = "The clock does it, and nobody asks for it.";
const CEREMONY = "A passkey is made and used by a browser at this product's own address (WebAuthn).";
const IN_PERSON = "A token is made by whoever has logged in, on a page that shows it once.";
const SECOND_FACTOR =
  "An authenticator app is set up by whoever has logged in, on a page that shows its secret and recovery codes once.";
const VISIT = "The page of a visit tells of it by itself.";
const LOOK = "A page says what its link does before it is used; the call that uses it says so in its answer.";
const SHOP =
  "The shop in which a visitor walks keeps its cart in his browser; programs ask the store itself, which has an API of its own.";
const LISTED = "A page's list; authenticatedReads.readEvents reads the same with whoever asks for it.";
const FORM = "What one form changes: a call changes all that it names at once (changeItem).";
const TABLE =
  "A page shows what a file would change before it does: importTags does both in one call, with `preview`.";
const BEFORE =
  "A page's question before something is deleted that can be restored; calls delete at once, and say where an item is used.";

/** Use cases that no call asks, each with its reason. */
const WITHOUT_CALL: Readonly<Partial<Record<UseCase, string>>> = {
  "tokens.createToken": IN_PERSON,
  "tokens.listTokens": IN_PERSON,
  "tokens.revokeToken": IN_PERSON,
  "secondFactor.beginSecondFactor": SECOND_FACTOR,
  "secondFactor.resumeSecondFactor": SECOND_FACTOR,
  "secondFactor.addSecondFactor": SECOND_FACTOR,
  "secondFactor.renewRecoveryCodes": SECOND_FACTOR,
  "secondFactor.removeSecondFactor": SECOND_FACTOR,
  "secondFactor.getSecondFactor": SECOND_FACTOR,
  "secondFactor.listFactors":
    "What the page of a user shows before a reset: resetSecondFactor answers 404 where there is none.",
  "secondFactor.logInWithCode": "The second step of a page: programs send `one_time_code` with logIn.",
  "secondFactor.mailSecondFactorResets": CLOCK,
  "preparations.listWaitingPreparations":
    "The files that a page's browser converts: programs list media, whose `preparation` tells which of them wait.",
  "idempotency.deleteExpiredResponses": CLOCK,
  "tokens.deleteExpiredTokens": CLOCK,
  "reports.findComparable": "A page's choice of events: listEvents and listOwnEvents have them.",
  "reports.mostVisited": "A page's choice of events: the reports of spaces and accounts name them.",
  "reports.reportFile": "What …/report answers, as a file of the page.",
  "reports.reportCsv": "A spreadsheet's view of the numbers that …/report answers.",
  "visits.logVisit": VISIT,
  "visits.trackEvent": VISIT,
  "visits.deleteExpiredVisits": CLOCK,
  "webhooks.deliverDue": CLOCK,
  "webhooks.deleteExpiredMessages": CLOCK,
  "account.lookAtEmailLink": LOOK,
  "passwords.lookAtReset": LOOK,
  "invitations.lookAtInvitation": LOOK,
  "content.restoreDeleted":
    "The editor's undo without scripts: programs send `restore` commands, or restore a state.",
  "events.checkEventName": "Tells a form what saving tells a caller: whether a name is taken.",
  "events.listEvents": LISTED,
  "events.listOwnEvents": LISTED,
  "events.persistDueStatuses": CLOCK,
  "statusMails.sendStatusMails": CLOCK,
  "statusMails.lookAtStatusMails": LOOK,
  "statusMails.stopStatusMails":
    "The link of a mail, for whoever has not logged in; programs send `status_mails` with updateAccount.",
  "sessions.deleteExpiredSessions": CLOCK,
  "sessions.deleteOldGuesses": CLOCK,
  "purge.purgeTrash": CLOCK,
  "links.deleteExpiredLinks": CLOCK,
  "passkeys.deleteExpiredChallenges": CLOCK,
  "uploads.deleteExpiredUploads": CLOCK,
  "uploads.checkUploads": CLOCK,
  "preparations.deleteUnfinishedPreparations": CLOCK,
  "users.deleteExpiredUserImports": CLOCK,
  "sessions.exchangeTicket": "For browsers with a ticket of an earlier client; programs send it as it is.",
  "passkeys.beginPasskey": CEREMONY,
  "passkeys.addPasskey": CEREMONY,
  "passkeys.beginPasskeyLogIn": CEREMONY,
  "passkeys.logInWithPasskey": CEREMONY,
  "library.openFile": "Files are at the `file_url` of their item.",
  "library.signFile": "Files are at the `file_url` of their item.",
  "library.openSignedFile": "Files are at the `file_url` of their item.",
  "content.checkTagImport": TABLE,
  "content.getTagImport": TABLE,
  "content.applyTagImport": TABLE,
  "packages.findTarget": "What a form shows of where a file is to go.",
  "packages.importForm": "A form's file, without scripts: programs send slices.",
  "packages.deleteExpiredPackageImports": CLOCK,
  "uploads.storeFiles": "A form's files, without scripts: programs send slices.",
  "spaces.createSpaceFromShowcase": "createSpace takes the showcase.",
  "spaces.visibleFiles": "What a form shows of files that were chosen for it.",
  "users.createUser": "addUser, of which it is the part that sends no invitation.",
  "tree.listTargets": "A page's choice of folders: listFolders has them.",
  "tree.renameItem": FORM,
  "spaces.replaceSource": FORM,
  "spaces.setSpaceThumbnail": FORM,
  "tree.getItems": BEFORE,
  "tree.countHeld": BEFORE,
  "tree.findUsed": BEFORE,
  "tree.findPublicEvents": BEFORE,
  "shop.readProduct": SHOP,
  "shop.listCollections": SHOP,
  "shop.readCollection": SHOP,
  "shop.listAttached": SHOP,
  "shop.knownAttached": SHOP,
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

it("every use case is asked by a call, or has a reason not to be", () => {
  const areas = Object.entries(createServices({} as ServiceDeps));
  const all = areas.flatMap(([area, cases]) => Object.keys(cases).map((name) => `${area}.${name}`));
  const unasked = all.filter((name) => !new RegExp(`\\b${name.replace(".", "\\.")}\\(`).test(source));
  expect(unasked.sort()).toEqual(Object.keys(WITHOUT_CALL).sort());
});
