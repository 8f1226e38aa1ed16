import { readViewerLink, viewerLink } from "~/viewer/Viewer";
import ShareDialog, { type ShareProps } from "./share-dialog";

/** Share dialog of a page, with the view and the tag of the page's URL. */
export default function PageShareDialog({
  share,
  searchParams,
}: {
  readonly share: Pick<ShareProps, "eventLink" | "qr" | "embed">;
  readonly searchParams: URLSearchParams;
}) {
  const { viewpoint, tagId } = readViewerLink(searchParams);
  const closeParams = new URLSearchParams(searchParams);
  closeParams.delete("dialog");
  const withPlace = (href: string) => {
    const { pathname, search: query } = new URL(
      viewerLink(new URL(href, share.eventLink).href, viewpoint, tagId),
    );
    return pathname + query;
  };
  const placeLink = viewpoint || tagId ? viewerLink(share.eventLink, viewpoint, tagId) : null;
  return (
    <ShareDialog
      eventLink={share.eventLink}
      placeLink={placeLink}
      isTag={tagId !== null}
      qr={withPlace(share.qr)}
      embed={share.embed}
      closeHref={`?${closeParams}`}
    />
  );
}
