import { accountRepository } from "./account";
import { auditRepository } from "./audit";
import { contentRepository } from "./content";
import { copyRepository } from "./copies";
import { openDb } from "./db";
import { eventRepository } from "./events";
import { folderRepository } from "./folders";
import { groupRepository } from "./groups";
import { historyRepository } from "./history";
import { importRepository } from "./imports";
import { keptAnswerRepository } from "./kept-answers";
import { libraryRepository } from "./library";
import { linkRepository } from "./links";
import { guessRepository } from "./log-in-guesses";
import { packageRepository } from "./packages";
import { passkeyRepository } from "./passkeys";
import { preparationRepository } from "./preparations";
import { purgeRepository } from "./purge";
import { recordReadRepository } from "./record-reads";
import { reportRepository } from "./reports";
import { secondFactorRepository } from "./second-factors";
import { sessionRepository } from "./sessions";
import { spaceRepository } from "./spaces";
import { statusMailRepository } from "./status-mails";
import { storeResponseRepository } from "./store-responses";
import { storedFileRepository } from "./stored-files";
import { tokenRepository } from "./tokens";
import { treeRepository } from "./tree";
import { uploadRepository } from "./uploads";
import { userImportRepository } from "./user-imports";
import { userRepository } from "./users";
import { visitorRepository } from "./visitors";
import { visitRepository } from "./visits";
import { webMediaRepository } from "./web-media";
import { webhookRepository } from "./webhooks";

/** All repositories over one D1 binding. */
export function repositories(binding: D1Database) {
  const db = openDb(binding);
  return {
    sessions: sessionRepository(db),
    guesses: guessRepository(db),
    recordReads: recordReadRepository(db),
    users: userRepository(db),
    links: linkRepository(db),
    account: accountRepository(db),
    passkeys: passkeyRepository(db),
    secondFactors: secondFactorRepository(db),
    tokens: tokenRepository(db),
    webhooks: webhookRepository(db),
    groups: groupRepository(db),
    audit: auditRepository(db),
    userImports: userImportRepository(db),
    folders: folderRepository(db),
    storedFiles: storedFileRepository(db),
    tree: treeRepository(db),
    copies: copyRepository(db),
    content: contentRepository(db),
    history: historyRepository(db),
    imports: importRepository(db),
    packages: packageRepository(db),
    keptAnswers: keptAnswerRepository(db),
    purge: purgeRepository(db),
    spaces: spaceRepository(db),
    events: eventRepository(db),
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
