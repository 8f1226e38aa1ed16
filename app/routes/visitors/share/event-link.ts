import type { Uuid, Viewpoint } from "~/domain/shared/model";
import { viewerLink } from "~/viewer/Viewer";

/** A visitor's own link to an event, which may be shared. */
export interface OwnLink {
  readonly eventId: Uuid;
  readonly mode: "published" | "preview";
  readonly token: string;
}

/** Path and query of the event that a link opens. A link that was opened by a legacy URL gets the current URL, too. */
export const eventPath = ({ eventId, mode, token }: OwnLink): string =>
  `/event/${mode}/${eventId}?token=${encodeURIComponent(token)}`;

/** URL of a link's event, with a view or a tag if given. */
export const eventLink = (
  origin: string,
  link: OwnLink,
  target: { readonly viewpoint: Viewpoint | null; readonly tagId: string | null } = {
    viewpoint: null,
    tagId: null,
  },
): string => viewerLink(new URL(eventPath(link), origin).href, target.viewpoint, target.tagId);
