import { account } from "./en/account";
import { admin } from "./en/admin";
import { api } from "./en/api";
import { asVisitor } from "./en/as-visitor";
import { auth } from "./en/auth";
import { conversion } from "./en/conversion";
import { dev } from "./en/dev";
import { document } from "./en/document";
import { editor } from "./en/editor";
import { errors } from "./en/errors";
import { events } from "./en/events";
import { history } from "./en/history";
import { kitCopy } from "./en/kit-copy";
import { kitMore } from "./en/kit-more";
import { library } from "./en/library";
import { people } from "./en/people";
import { reference } from "./en/reference";
import { report } from "./en/report";
import { sceneEditor } from "./en/scene-editor";
import { services } from "./en/services";
import { shellMenu } from "./en/shell-menu";
import { shop } from "./en/shop";
import { sources } from "./en/sources";
import { spaceEvents } from "./en/space-events";
import { spaces } from "./en/spaces";
import { storeEditor } from "./en/store-editor";
import { tokens } from "./en/tokens";
import { transfer } from "./en/transfer";
import { tree } from "./en/tree";
import { uploads } from "./en/uploads";
import { viewerChrome } from "./en/viewer-chrome";
import { visitMore } from "./en/visit-more";
import { webMedia } from "./en/web-media";
import { webhooks } from "./en/webhooks";
import { visitorEn } from "./en-visitor";

/** All English words. The Japanese ones have the same keys by type. */
export const en = {
  ...visitorEn,
  kit: { ...visitorEn.kit, ...kitMore, ...kitCopy },
  shell: { ...visitorEn.shell, ...shellMenu },
  viewer: { ...visitorEn.viewer, ...viewerChrome },
  account,
  admin,
  api,
  asVisitor,
  auth,
  conversion,
  dev,
  document,
  editor,
  errors,
  events,
  history,
  library,
  people,
  reference,
  report,
  sceneEditor,
  services,
  shop,
  sources,
  spaceEvents,
  spaces,
  storeEditor,
  tokens,
  transfer,
  tree,
  visitMore,
  webMedia,
  webhooks,
  uploads,
};
