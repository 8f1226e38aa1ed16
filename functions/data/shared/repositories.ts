import { reportRepository } from "../analytics/reports";
import { visitRepository } from "../analytics/visits";
import { accountRepository } from "../auth/account";
import { logInAttemptRepository } from "../auth/log-in-attempts";
import { mailLinkRepository } from "../auth/mail-links";
import { passkeyRepository } from "../auth/passkeys";
import { secondFactorRepository } from "../auth/second-factors";
import { sessionRepository } from "../auth/sessions";
import { contentRepository } from "../content/content";
import { eventCheckRepository } from "../events/event-checks";
import { eventRepository } from "../events/events";
import { historyRepository } from "../events/history";
import { statusMailRepository } from "../events/status-mails";
import { copyRepository } from "../folders/copy";
import { folderRepository } from "../folders/folders";
import { sameNameRepository } from "../folders/same-names";
import { treeRepository } from "../folders/tree";
import { libraryRepository } from "../library/library";
import { preparationRepository } from "../library/preparations";
import { storedFileRepository } from "../library/stored-files";
import { uploadRepository } from "../library/uploads";
import { webMediaRepository } from "../library/web-media";
import { spaceRepository } from "../spaces/spaces";
import { storeResponseRepository } from "../store/store-responses";
import { importRepository } from "../transfer/imports";
import { packageRepository } from "../transfer/packages";
import { auditRepository } from "../users/audit";
import { authenticatedReadRepository } from "../users/authenticated-reads";
import { firstStepRepository } from "../users/first-steps";
import { groupRepository } from "../users/groups";
import { userImportRepository } from "../users/user-imports";
import { userRepository } from "../users/users";
import { visitorRepository } from "../visitors/visitors";
import { tokenRepository } from "../webhooks/tokens";
import { webhookRepository } from "../webhooks/webhooks";
import { openDb } from "./db";
import { idempotencyRepository } from "./idempotency";
import { purgeRepository } from "./purge";

/** All repositories over one D1 binding. */
export function repositories(binding: D1Database) {
  const db = openDb(binding);
  return {
    sessions: sessionRepository(db),
    logInAttempts: logInAttemptRepository(db),
    // Reads that check the ticket or token in the same query.
    authenticatedReads: authenticatedReadRepository(db),
    users: userRepository(db),
    links: mailLinkRepository(db),
    account: accountRepository(db),
    passkeys: passkeyRepository(db),
    secondFactors: secondFactorRepository(db),
    tokens: tokenRepository(db),
    webhooks: webhookRepository(db),
    groups: groupRepository(db),
    audit: auditRepository(db),
    userImports: userImportRepository(db),
    firstSteps: firstStepRepository(db),
    folders: folderRepository(db),
    storedFiles: storedFileRepository(db),
    tree: treeRepository(db),
    sameNames: sameNameRepository(db),
    copies: copyRepository(db),
    content: contentRepository(db),
    history: historyRepository(db),
    imports: importRepository(db),
    packages: packageRepository(db),
    idempotentResponses: idempotencyRepository(db),
    purge: purgeRepository(db),
    spaces: spaceRepository(db),
    events: eventRepository(db),
    eventChecks: eventCheckRepository(db),
    statusMails: statusMailRepository(db),
    storeResponses: storeResponseRepository(db),
    visitors: visitorRepository(db),
    visits: visitRepository(db),
    reports: reportRepository(db),
    library: libraryRepository(db),
    webMedia: webMediaRepository(db),
    uploads: uploadRepository(db),
    preparations: preparationRepository(db),
  };
}

/** All repositories, by area. Use cases pick the parts that they need. */
export interface Repositories extends ReturnType<typeof repositories> {}
