import { index, layout, type RouteConfig, route } from "@remix-run/route-config";

/** A screen that shows an event as visitors see it, with the event's shop, whose pages stand beside the same space. */
const visitorRoute = (path: string, id: string, file = "routes/viewer.tsx") =>
  route(path, file, { id }, [
    route("shop", "routes/shop/list.tsx", { id: `${id}-shop` }),
    route("shop/products/:product", "routes/shop/product.tsx", { id: `${id}-shop-product` }),
    route("shop/collections", "routes/shop/collections.tsx", { id: `${id}-shop-collections` }),
    route("shop/collections/:collection", "routes/shop/collection.tsx", { id: `${id}-shop-collection` }),
    route("shop/cart", "routes/shop/cart.tsx", { id: `${id}-shop-cart` }),
    route("shop/live", "routes/shop/live.ts", { id: `${id}-shop-live` }),
    route("shop/seen", "routes/shop/seen.ts", { id: `${id}-shop-seen` }),
    route("shop/*", "routes/shop/lost.tsx", { id: `${id}-shop-lost` }),
  ]);

/** The screens of §2, one line each. Further paths to the same screen carry an id of their own. */
export default [
  index("routes/login.tsx", { id: "start" }),
  route("login", "routes/login.tsx", { id: "login" }),
  route("login/passkey", "routes/passkey-challenge.ts"),
  route("logout", "routes/logout.ts"),
  route("user-list/export", "routes/users/export.ts"),
  route("retrieve-password", "routes/retrieve-password.tsx"),
  route("reset-password", "routes/new-password.tsx", { id: "reset-password" }),
  route("accept-invitation", "routes/new-password.tsx", { id: "accept-invitation" }),
  route("confirm-email", "routes/confirm-email.tsx"),
  route("account/passkey", "routes/account/passkey-options.ts"),

  layout("routes/shell.tsx", [
    route("space-list", "routes/space-list.tsx", { id: "space-list" }),
    route("space-list/new", "routes/source/new.tsx"),
    route("space-list/folders/:folderUuid", "routes/space-list.tsx", { id: "space-list-folder" }),
    route("space-list/:userUuid", "routes/space-list.tsx", { id: "space-list-user" }),
    route("space-list/:userUuid/folders/:folderUuid", "routes/space-list.tsx", {
      id: "space-list-user-folder",
    }),
    route("space/:spaceUuid", "routes/space.tsx"),
    route("space/:spaceUuid/source", "routes/source/change.tsx"),
    route("space/:spaceUuid/picture", "routes/source/picture.tsx"),
    route("event/:uuid", "routes/event.tsx"),
    route("event/:uuid/as-visitor", "routes/event/as-visitor.tsx"),
    route("event/:uuid/history", "routes/event/history.tsx"),
    route("event/:uuid/history/space", "routes/event/former.tsx"),
    route("event/:uuid/store", "routes/edit/store-answers.ts"),
    route("event/:uuid/texts", "routes/edit/preview-answers.ts"),
    route("sharing/:kind/:uuid", "routes/sharing.tsx"),
    route("user-list", "routes/user-list.tsx"),
    route("user-list/new", "routes/users/new.tsx"),
    route("user-list/import", "routes/users/import.tsx"),
    route("user-list/import/:importUuid", "routes/users/import-check.tsx"),
    route("user-list/:userUuid", "routes/users/edit.tsx"),
    route("groups", "routes/groups/list.tsx"),
    route("groups/:groupUuid", "routes/groups/detail.tsx"),
    route("audit", "routes/audit.tsx"),
    route("account", "routes/account/profile.tsx"),
    route("account/security", "routes/account/security.tsx"),
    route("account/tokens", "routes/account/tokens.tsx"),
    route("account/webhooks", "routes/webhooks/list.tsx"),
    route("account/webhooks/new", "routes/webhooks/new.tsx"),
    route("account/webhooks/:webhookUuid", "routes/webhooks/detail.tsx"),
    route("account/data", "routes/account/data.tsx"),
    route("library", "routes/library.tsx", { id: "library" }),
    route("library/folders/:folderUuid", "routes/library.tsx", { id: "library-folder" }),
    route("library/items/:itemUuid", "routes/library/item.tsx"),
    route("library/:userUuid", "routes/library.tsx", { id: "library-user" }),
    route("library/:userUuid/folders/:folderUuid", "routes/library.tsx", { id: "library-user-folder" }),
    route("*", "routes/not-found.tsx"),
  ]),

  // The mailbox of a developer's machine: 404 anywhere else.
  route("dev/mail", "routes/dev-mail.tsx", { id: "dev-mail" }),
  route("dev/mail/:id", "routes/dev-mail-message.tsx", { id: "dev-mail-message" }),

  // Visitors' screens stand alone: the same for everybody, with no top bar.
  visitorRoute("event/published/:uuid", "event-published"),
  visitorRoute("event/preview/:uuid", "event-preview"),
  visitorRoute("space/published/:uuid/:sid", "space-published"),
  visitorRoute("space/3d/:uuid/:sid", "space-3d"),
  visitorRoute("space/preview/:uuid/:sid", "space-preview"),
  route("error/event/:uuid", "routes/event-unavailable.tsx"),
  route("event/published/:uuid/qr", "routes/visit/qr.ts", { id: "qr-published" }),
  route("event/preview/:uuid/qr", "routes/visit/qr.ts", { id: "qr-preview" }),
  route("oembed", "routes/oembed.ts"),
  // The same for an event's owner, at any moment: in a frame of his own preview.
  visitorRoute("event/:uuid/as-visitor/page", "as-visitor-page", "routes/event/as-visitor-page.tsx"),
] satisfies RouteConfig;
