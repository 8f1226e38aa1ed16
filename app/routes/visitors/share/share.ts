import type { Uuid, Viewpoint } from "~/domain/shared/model";
import { viewerLink } from "~/viewer/Viewer";

/** A visitor's own link to an event: what may be handed on. */
export interface OwnLink {
  readonly eventId: Uuid;
  readonly mode: "published" | "preview";
  readonly token: string;
}

/** The path and query under which a link's event is found, whichever old address it was opened at. */
export const eventPath = ({ eventId, mode, token }: OwnLink): string =>
  `/event/${mode}/${eventId}?token=${encodeURIComponent(token)}`;

/** The address of a link's event, at a view or a tag where one is given. */
export const eventLink = (
  origin: string,
  link: OwnLink,
  place: { readonly viewpoint: Viewpoint | null; readonly tagId: string | null } = {
    viewpoint: null,
    tagId: null,
  },
): string => viewerLink(new URL(eventPath(link), origin).href, place.viewpoint, place.tagId);
