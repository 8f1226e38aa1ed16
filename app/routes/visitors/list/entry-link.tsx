import type { ComponentPropsWithoutRef } from "react";
import type { Uuid } from "~/domain/shared/model";
import { tagAnchor } from "~/viewer/Viewer";
import type { Scene } from "../scene/scene-types";

/** Properties of a link to an entry of the list. */
export interface EntryLinkProps extends ComponentPropsWithoutRef<"a"> {
  readonly id: Uuid;
  /** The scene may contain only one page of a long list. */
  readonly scene: Pick<Scene, "tags" | "media">;
  /** Query with only the parameters that open the page, such as the token. */
  readonly pageQuery: string;
}

/** Link to an entry, on any page of the list. With scripts it opens the entry without loading a document. */
export function EntryLink({ id, scene, pageQuery, onClick, children, ...anchorProps }: EntryLinkProps) {
  // An entry that the document does not contain is linked by the URL of the document that contains it. The parameter `tag` also names media.
  const isInDocument = [...scene.tags, ...scene.media].some((item) => item.id === id);
  const href = `${isInDocument ? "" : `?${pageQuery}&tag=${id}`}#${tagAnchor(id)}`;
  return (
    <a
      {...anchorProps}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (href.startsWith("#") || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        window.location.hash = tagAnchor(id);
      }}
    >
      {children}
    </a>
  );
}
