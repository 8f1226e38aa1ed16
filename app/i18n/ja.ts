import type { en } from "./en";
import { account } from "./ja/account";
import { admin } from "./ja/admin";
import { api } from "./ja/api";
import { asVisitor } from "./ja/as-visitor";
import { auth } from "./ja/auth";
import { conversion } from "./ja/conversion";
import { dev } from "./ja/dev";
import { document } from "./ja/document";
import { editor } from "./ja/editor";
import { errors } from "./ja/errors";
import { events } from "./ja/events";
import { history } from "./ja/history";
import { kitCopy } from "./ja/kit-copy";
import { kitMore } from "./ja/kit-more";
import { library } from "./ja/library";
import { people } from "./ja/people";
import { reference } from "./ja/reference";
import { report } from "./ja/report";
import { sceneEditor } from "./ja/scene-editor";
import { services } from "./ja/services";
import { shellMenu } from "./ja/shell-menu";
import { shop } from "./ja/shop";
import { sources } from "./ja/sources";
import { spaceEvents } from "./ja/space-events";
import { spaces } from "./ja/spaces";
import { storeEditor } from "./ja/store-editor";
import { tokens } from "./ja/tokens";
import { transfer } from "./ja/transfer";
import { tree } from "./ja/tree";
import { uploads } from "./ja/uploads";
import { viewerChrome } from "./ja/viewer-chrome";
import { visitMore } from "./ja/visit-more";
import { webMedia } from "./ja/web-media";
import { webhooks } from "./ja/webhooks";
import { visitorJa } from "./ja-visitor";
import type { Words } from "./words";

/** All Japanese words. */
export const ja: Words<typeof en> = {
  ...visitorJa,
  kit: { ...visitorJa.kit, ...kitMore, ...kitCopy },
  shell: { ...visitorJa.shell, ...shellMenu },
  viewer: { ...visitorJa.viewer, ...viewerChrome },
  admin,
  api,
  account,
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
