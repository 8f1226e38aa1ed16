/** All use cases by area. Routes and the API receive them as `context.services`. */
import type { Repositories } from "#functions/data/shared/repositories";
import { lazyModule } from "#functions/load-module";
import type { ReportExportDeps } from "./analytics/report-export";
import { type ReportDeps, reportServices } from "./analytics/reports";
import type { VisitExportDeps } from "./analytics/visit-csv";
import { type VisitDeps, visitServices } from "./analytics/visits";
import { type AccountDeps, accountServices } from "./auth/account";
import { logInWithCode, type SecondStepInput } from "./auth/log-in-with-code";
import { type LinkDeps, linkServices } from "./auth/mail-links";
import { type PasskeyDeps, passkeyServices } from "./auth/passkeys";
import { type PasswordDeps, passwordServices } from "./auth/passwords";
import { type ReauthenticationDeps, reauthenticationServices } from "./auth/reauthentication";
import { type SecondFactorSettingsDeps, secondFactorSettings } from "./auth/second-factor-settings";
import { type SessionDeps, sessionServices } from "./auth/sessions";
import { type ContentDeps, contentServices } from "./content/content";
import { beginEventServices } from "./events/begin-event";
import { eventPatchServices } from "./events/event-patch";
import { eventSnapshotServices } from "./events/event-snapshot";
import { eventTrashServices } from "./events/event-trash";
import { type EventDeps, eventServices } from "./events/events";
import { type HistoryDeps, historyServices } from "./events/history";
import { ownStoreServices } from "./events/own-stores";
import { type PublishCheckDeps, publishCheckServices } from "./events/publish-checks";
import { type StatusMailDeps, statusMailServices } from "./events/status-mails";
import { visitorPreviewServices } from "./events/visitor-preview";
import { type CopyDeps, copyServices } from "./folders/copy";
import { sameNameServices } from "./folders/same-names";
import { treeServices } from "./folders/tree";
import type { TreeDeps } from "./folders/tree-access";
import { treeChangeServices } from "./folders/tree-change";
import { treeTrashServices } from "./folders/tree-trash";
import { type LibraryDeps, libraryServices } from "./library/library";
import { type PreparationDeps, preparationServices } from "./library/preparations";
import { checkUploads, type UploadCheckDeps, uploadCheckServices } from "./library/upload-checks";
import { type UploadDeps, uploadServices } from "./library/uploads";
import { type WebMediaDeps, webMediaServices } from "./library/web-media";
import { bindLazily, createLazily } from "./shared/bind";
import { type IdempotencyDeps, idempotencyServices } from "./shared/idempotency";
import { type PurgeDeps, purgeServices } from "./shared/purge";
import { sampleSpaceServices } from "./spaces/sample-space";
import { type SpaceDeps, spaceServices } from "./spaces/spaces";
import { type ConnectionDeps, productServices } from "./store/shop";
import { cartServices } from "./store/shop-cart";
import { importTargetServices } from "./transfer/import-target";
import type { PackageExportDeps } from "./transfer/package-export";
import type { PackageImportDeps } from "./transfer/package-import";
import type { TagCsvDeps } from "./transfer/tag-csv";
import { type AuditLogDeps, auditLogServices } from "./users/audit-log";
import { type AuthenticatedReadDeps, authenticatedReadServices } from "./users/authenticated-reads";
import { type FirstStepDeps, firstStepServices } from "./users/first-steps";
import { type GroupDeps, groupServices } from "./users/groups";
import { type InvitationDeps, invitationServices } from "./users/invitations";
import { userChangeServices } from "./users/user-changes";
import type { UserCsvDeps } from "./users/user-csv";
import { type UserDeps, userServices } from "./users/users";
import { type ClosedEventDeps, closedEventServices } from "./visitors/closed-event";
import { visitorServices } from "./visitors/event-access";
import { type SignedFileDeps, signedFileServices } from "./visitors/signed-files";
import { type TokenDeps, tokenServices } from "./webhooks/tokens";
import { deliver, deliveryServices } from "./webhooks/webhook-delivery";
import type { WebhookOwner } from "./webhooks/webhook-ports";
import { type WebhookDeps, webhookServices } from "./webhooks/webhooks";

/** The dependencies of all use cases together. */
type AllDeps = SessionDeps &
  SpaceDeps &
  EventDeps &
  PublishCheckDeps &
  UserDeps &
  UserCsvDeps &
  LinkDeps &
  PasswordDeps &
  InvitationDeps &
  AccountDeps &
  PasskeyDeps &
  SecondFactorSettingsDeps &
  GroupDeps &
  AuditLogDeps &
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
  AuthenticatedReadDeps &
  VisitDeps &
  StatusMailDeps &
  ReportDeps &
  TokenDeps &
  WebhookDeps &
  IdempotencyDeps &
  ReportExportDeps &
  VisitExportDeps &
  PackageExportDeps &
  PackageImportDeps &
  TagCsvDeps &
  ClosedEventDeps &
  SignedFileDeps &
  UploadCheckDeps &
  LibraryDeps &
  FirstStepDeps &
  Pick<Repositories, "visitors" | "sameNames">;

/** The dependencies that functions/app-services.ts provides. */
export type ServiceDeps = Omit<AllDeps, "publishWebhookEvents" | "checkUpload">;

// Imports and exports of files, which few requests need, are loaded at their first use.
const packageExport = lazyModule("package-export", () => import("./transfer/package-export"));
const packageImport = lazyModule("package-import", () => import("./transfer/package-import"));
const visitCsv = lazyModule("visit-csv", () => import("./analytics/visit-csv"));
const reportExport = lazyModule("report-export", () => import("./analytics/report-export"));
const tagCsv = lazyModule("tag-csv", () => import("./transfer/tag-csv"));
const userCsv = lazyModule("user-csv", () => import("./users/user-csv"));

/** Binds every use case to its dependencies. */
export const createServices = (deps: ServiceDeps) =>
  bindServices({
    ...deps,
    publishWebhookEvents: (owner: WebhookOwner) => deps.defer(deliver(deps, { owner })),
    checkUpload: (fileKey: string) => deps.defer(checkUploads(deps, { fileKey })),
  });

/** Each area is created when it is first used. */
const bindServices = createLazily({
  sessions: (deps: AllDeps) => sessionServices(deps),
  authenticatedReads: (deps: AllDeps) => authenticatedReadServices(deps),
  spaces: (deps: AllDeps) => ({ ...spaceServices(deps), ...sampleSpaceServices(deps) }),
  events: (deps: AllDeps) => ({
    ...eventServices(deps),
    ...eventTrashServices(deps),
    ...publishCheckServices(deps),
    ...ownStoreServices(deps),
    ...eventPatchServices(deps),
    ...beginEventServices(deps),
  }),
  users: (deps: AllDeps) => ({
    ...userServices(deps),
    ...userChangeServices(deps),
    ...firstStepServices(deps),
    ...bindLazily(
      deps,
      ["exportUsers", "checkImport", "getUserImport", "applyImport", "deleteExpiredUserImports"],
      userCsv,
    ),
  }),
  links: (deps: AllDeps) => linkServices(deps),
  passwords: (deps: AllDeps) => passwordServices(deps),
  invitations: (deps: AllDeps) => invitationServices(deps),
  account: (deps: AllDeps) => accountServices(deps),
  passkeys: (deps: AllDeps) => passkeyServices(deps),
  reauthentication: (deps: AllDeps) => reauthenticationServices(deps),
  secondFactor: (deps: AllDeps) => ({
    ...secondFactorSettings(deps),
    logInWithCode: (input: SecondStepInput) => logInWithCode(deps, input),
  }),
  tokens: (deps: AllDeps) => tokenServices(deps),
  webhooks: (deps: AllDeps) => ({ ...webhookServices(deps), ...deliveryServices(deps) }),
  groups: (deps: AllDeps) => groupServices(deps),
  auditLog: (deps: AllDeps) => auditLogServices(deps),
  tree: (deps: AllDeps) => ({
    ...treeServices(deps),
    ...treeTrashServices(deps),
    ...treeChangeServices(deps),
    ...sameNameServices(deps),
  }),
  copies: (deps: AllDeps) => copyServices(deps),
  content: (deps: AllDeps) => ({
    ...contentServices(deps),
    ...bindLazily(
      deps,
      ["exportTags", "importTags", "checkTagImport", "getTagImport", "applyTagImport"],
      tagCsv,
    ),
  }),
  history: (deps: AllDeps) => ({ ...historyServices(deps), ...eventSnapshotServices(deps) }),
  idempotency: (deps: AllDeps) => idempotencyServices(deps),
  purge: (deps: AllDeps) => purgeServices(deps),
  library: (deps: AllDeps) => ({ ...libraryServices(deps), ...signedFileServices(deps) }),
  webMedia: (deps: AllDeps) => webMediaServices(deps),
  preparations: (deps: AllDeps) => preparationServices(deps),
  uploads: (deps: AllDeps) => ({ ...uploadServices(deps), ...uploadCheckServices(deps) }),
  packages: (deps: AllDeps) => ({
    ...importTargetServices(deps),
    ...bindLazily(deps, ["exportEvent", "exportSpace"], packageExport),
    ...bindLazily(
      deps,
      [
        "startImport",
        "getPackageImport",
        "storeImportPart",
        "completeImport",
        "importForm",
        "dropImport",
        "deleteExpiredPackageImports",
      ],
      packageImport,
    ),
  }),
  shop: (deps: AllDeps) => ({ ...productServices(deps), ...cartServices(deps) }),
  visitors: (deps: AllDeps) => ({
    ...visitorServices(deps),
    ...visitorPreviewServices(deps),
    ...closedEventServices(deps),
  }),
  visits: (deps: AllDeps) => visitServices(deps),
  statusMails: (deps: AllDeps) => statusMailServices(deps),
  reports: (deps: AllDeps) => ({
    ...reportServices(deps),
    ...bindLazily(deps, ["reportCsv", "reportFile"], reportExport),
    ...bindLazily(deps, ["visitCsv"], visitCsv),
  }),
});
/** The use cases by area, as routes and the API receive them. */
export type Services = ReturnType<typeof createServices>;
