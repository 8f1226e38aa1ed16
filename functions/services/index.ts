/** All use cases, by area: what routes and the API receive as `context.services`. */
import type { Repositories } from "#functions/data/repositories";
import { lazyModule } from "#functions/load-module";
import { type AccountDeps, accountServices } from "./account";
import { asVisitorServices } from "./as-visitor";
import { bindLazily } from "./bind";
import { type ContentDeps, contentServices } from "./content";
import { type CopyDeps, copyServices } from "./copies";
import { eventTrashServices } from "./event-trash";
import { type EventDeps, eventServices } from "./events";
import { formerServices } from "./former";
import { type GroupDeps, groupServices } from "./groups";
import { type HistoryDeps, historyServices } from "./history";
import { type IdempotencyDeps, idempotencyServices } from "./idempotency";
import { type InvitationDeps, invitationServices } from "./invitations";
import { type LibraryDeps, libraryServices } from "./library";
import { type LinkDeps, linkServices } from "./links";
import type { PackageExportDeps } from "./package-export";
import type { PackageImportDeps } from "./package-import";
import { type PasskeyDeps, passkeyServices } from "./passkeys";
import { type PasswordDeps, passwordServices } from "./passwords";
import { type PreparationDeps, preparationServices } from "./preparations";
import { type PurgeDeps, purgeServices } from "./purge";
import { type ReauthenticationDeps, reauthenticationServices } from "./reauthentication";
import { type RecordReadDeps, recordReadServices } from "./record-reads";
import type { ReportExportDeps } from "./report-export";
import { type ReportDeps, reportServices } from "./reports";
import { type SecondFactorSettingsDeps, secondFactorSettings } from "./second-factor-settings";
import { logInWithCode, type SecondStepInput } from "./second-step";
import { type SessionDeps, sessionServices } from "./sessions";
import { type ConnectionDeps, productServices } from "./shop";
import { cartServices } from "./shop-cart";
import { type SignedFileDeps, signedFileServices } from "./signed-files";
import { type SpaceDeps, spaceServices } from "./spaces";
import { type StatusMailDeps, statusMailServices } from "./status-mails";
import type { TagCsvDeps } from "./tag-csv";
import { type TokenDeps, tokenServices } from "./tokens";
import { type TrailDeps, trailServices } from "./trail";
import { type TreeDeps, treeServices } from "./tree";
import { treeChangeServices } from "./tree-change";
import { checkUploads, type UploadCheckDeps, uploadCheckServices } from "./upload-checks";
import { type UploadDeps, uploadServices } from "./uploads";
import { userChangeServices } from "./user-changes";
import type { UserCsvDeps } from "./user-csv";
import { type UserDeps, userServices } from "./users";
import { visitorServices } from "./visitors";
import { type VisitDeps, visitServices } from "./visits";
import { type WebMediaDeps, webMediaServices } from "./web-media";
import { deliver, deliveryServices } from "./webhook-delivery";
import type { Senders } from "./webhook-ports";
import { type WebhookDeps, webhookServices } from "./webhooks";

/** What all use cases together need. */
type AllDeps = SessionDeps &
  SpaceDeps &
  EventDeps &
  UserDeps &
  UserCsvDeps &
  LinkDeps &
  PasswordDeps &
  InvitationDeps &
  AccountDeps &
  PasskeyDeps &
  SecondFactorSettingsDeps &
  GroupDeps &
  TrailDeps &
  TreeDeps &
  CopyDeps &
  ContentDeps &
  HistoryDeps &
  PurgeDeps &
  WebMediaDeps &
  UploadDeps &
  PreparationDeps &
  ConnectionDeps &
  ReauthenticationDeps &
  RecordReadDeps &
  VisitDeps &
  StatusMailDeps &
  ReportDeps &
  TokenDeps &
  WebhookDeps &
  IdempotencyDeps &
  ReportExportDeps &
  PackageExportDeps &
  PackageImportDeps &
  TagCsvDeps &
  SignedFileDeps &
  UploadCheckDeps &
  LibraryDeps &
  Pick<Repositories, "visitors">;

/** What functions/context.ts brings. */
export type ServiceDeps = Omit<AllDeps, "tellReceivers" | "checkUpload">;

// Imports and exports of files, which few requests need.
const packageExport = lazyModule("package-export", () => import("./package-export"));
const packageImport = lazyModule("package-import", () => import("./package-import"));
const reportExport = lazyModule("report-export", () => import("./report-export"));
const tagCsv = lazyModule("tag-csv", () => import("./tag-csv"));
const userCsv = lazyModule("user-csv", () => import("./user-csv"));

/** Binds every use case to its dependencies. */
export const createServices = (given: ServiceDeps) =>
  bindServices({
    ...given,
    tellReceivers: (senders: Senders) => given.defer(deliver(given, { senders })),
    checkUpload: (fileKey: string) => given.defer(checkUploads(given, { fileKey })),
  });

const bindServices = (deps: AllDeps) => ({
  sessions: sessionServices(deps),
  recordReads: recordReadServices(deps),
  spaces: spaceServices(deps),
  events: { ...eventServices(deps), ...eventTrashServices(deps) },
  users: {
    ...userServices(deps),
    ...userChangeServices(deps),
    ...bindLazily(deps, ["exportUsers", "checkImport", "getImport", "applyImport", "sweepImports"], userCsv),
  },
  links: linkServices(deps),
  passwords: passwordServices(deps),
  invitations: invitationServices(deps),
  account: accountServices(deps),
  passkeys: passkeyServices(deps),
  reauthentication: reauthenticationServices(deps),
  secondFactor: {
    ...secondFactorSettings(deps),
    logInWithCode: (input: SecondStepInput) => logInWithCode(deps, input),
  },
  tokens: tokenServices(deps),
  webhooks: { ...webhookServices(deps), ...deliveryServices(deps) },
  groups: groupServices(deps),
  trail: trailServices(deps),
  tree: { ...treeServices(deps), ...treeChangeServices(deps) },
  copies: copyServices(deps),
  content: {
    ...contentServices(deps),
    ...bindLazily(
      deps,
      ["exportTags", "importTags", "checkTagImport", "getTagImport", "applyTagImport"],
      tagCsv,
    ),
  },
  history: { ...historyServices(deps), ...formerServices(deps) },
  idempotency: idempotencyServices(deps),
  purge: purgeServices(deps),
  library: { ...libraryServices(deps), ...signedFileServices(deps) },
  webMedia: webMediaServices(deps),
  preparations: preparationServices(deps),
  uploads: { ...uploadServices(deps), ...uploadCheckServices(deps) },
  packages: {
    ...bindLazily(deps, ["exportEvent", "exportSpace"], packageExport),
    ...bindLazily(
      deps,
      [
        ...(["findTarget", "startImport", "getImport", "storeImportPart", "completeImport"] as const),
        ...(["importForm", "dropImport", "sweepImports"] as const),
      ],
      packageImport,
    ),
  },
  shop: { ...productServices(deps), ...cartServices(deps) },
  visitors: { ...visitorServices(deps), ...asVisitorServices(deps) },
  visits: visitServices(deps),
  statusMails: statusMailServices(deps),
  reports: { ...reportServices(deps), ...bindLazily(deps, ["reportCsv", "reportFile"], reportExport) },
});
/** What routes and the API receive: the use cases by area. */
export type Services = ReturnType<typeof createServices>;
