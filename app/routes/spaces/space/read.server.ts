import type { AppLoadContext } from "@remix-run/cloudflare";
import type { EventListItem } from "#functions/services/events/events";
import type { Page } from "#functions/services/shared/ports";
import type { Actor } from "~/domain/auth/actor";
import { isLinkOpen } from "~/domain/events/status";
import { EVENT_TEMPLATES } from "~/domain/events/templates/event-template";
import type { EventTemplateName } from "~/domain/events/templates/template-names";
import { spacePosterUrl } from "~/domain/library/media-url";
import { textIn } from "~/domain/shared/localized";
import type { Lang, Space } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { languages } from "~/i18n/languages.server";
import { formEvent, visitorLink } from "../../events/record/event-page";
import { describeAuditEntry } from "../../users/audit-log/describe-audit-entry";
import { mayDeleteEvents } from "./event-actions.server";

interface SpaceContext {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly space: Space;
}

/** Reads the sharing state of a space and the URL of its form. */
export async function readSharing({
  context,
  actor,
  space,
}: Omit<SpaceContext, "space"> & { readonly space: Pick<Space, "id"> }) {
  const {
    isShared,
    groupName: group,
    mayChange,
  } = await context.services.groups.getSpaceSharing({
    actor,
    spaceId: space.id,
  });
  return { href: mayChange ? `/sharing/space/${space.id}` : null, group, shared: isShared };
}

/** Reads the activity of a space and its events as sentences; the other data of the entries stays on the server. */
export async function readActivity({ context, actor, space }: SpaceContext) {
  const rows = await context.services.auditLog.listSpaceActivity({ actor, spaceId: space.id });
  const { t } = languages[context.lang];
  const seesAll = can(actor, "list", { type: "audit", ownerId: null });
  return {
    allHref: seesAll ? "/audit" : null,
    // Only administrators may see email addresses.
    entries: rows.map((row) => ({
      id: row.id,
      at: row.at,
      text: describeAuditEntry(row, t, context.lang, { showsAddresses: false }).text,
    })),
  };
}

/** The names that the templates of events suggest, in a language. */
export const templateNames = (lang: Lang) =>
  Object.fromEntries(
    Object.entries(EVENT_TEMPLATES).map(([template, { name }]) => [template, name[lang]]),
  ) as Readonly<Record<EventTemplateName, string>>;

/** Converts a space for its page. */
export const toSpacePage = (actor: Actor, space: Space) => ({
  item: {
    kind: "space" as const,
    id: space.id,
    name: space.name,
    isCopyable: true,
    mayDelete: can(actor, "delete", { type: "space", ownerId: space.ownerId, groupId: space.groupId }),
  },
  isOwn: space.ownerId === actor.userId,
  name: space.name,
  sid: space.sid,
  kind: space.source.kind,
  id: space.id,
  image: spacePosterUrl(space),
  panoramas: space.source.kind === "panorama" ? space.source.nodes.length : null,
  hasStart: space.source.kind === "showcase" ? null : space.source.start !== null,
  mayChange: can(actor, "update", { type: "space", ownerId: space.ownerId, groupId: space.groupId }),
  /** Users who may delete the events of a space may also export them. */
  mayExport: mayDeleteEvents(actor, space),
  mayDeleteEvents: mayDeleteEvents(actor, space),
  eventCount: space.eventCount,
  createdAt: space.createdAt,
  updatedAt: space.updatedAt,
});

/**
 * The only event of a space if it has the space's name and no content, so that an owner uses it instead of creating a second one; null otherwise.
 * A space and its first event are created with the same name, which an event's limit may cut.
 */
export async function readEmptyEvent({ context, actor, space }: SpaceContext, events: Page<EventListItem>) {
  const [event] = events.items;
  const name = event && textIn(event.eventName, context.lang);
  if (events.total !== 1 || !event || !name || !space.name.startsWith(name)) return null;
  const { tags, media } = await context.services.content.getContent({ actor, eventId: event.id });
  return tags.length + media.length === 0 ? { id: event.id, name } : null;
}

/** Converts an event for the list of its space: the space's image, and the public link if that is open, otherwise the preview link. */
export function toListedEvent(event: EventListItem, space: Space, { lang, site }: AppLoadContext) {
  const { publicLink, previewLink, ...form } = formEvent(event, event.currentStatus, site.origin);
  const isPublic = isLinkOpen(event.currentStatus, "published");
  return {
    id: event.id,
    name: textIn(event.eventName, lang),
    statusId: event.currentStatus,
    startDate: event.startDate,
    endDate: event.endDate,
    image: spacePosterUrl(space),
    link: isPublic
      ? ({ mode: "published", url: publicLink } as const)
      : ({ mode: "preview", url: previewLink } as const),
    visitorUrl: visitorLink({ ...form, publicLink, previewLink }),
  };
}
