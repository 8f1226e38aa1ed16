import type { ComponentPropsWithoutRef } from "react";
import type { Uuid } from "~/domain/shared/model";
import { tagAnchor } from "~/viewer/Viewer";
import type { Scene } from "../scene/scene-types";

/** Properties of a link to an entry of the list. */
export interface EntryLinkProps extends ComponentPropsWithoutRef<"a"> {
  readonly id: Uuid;
  /** A long list may be present with one page alone. */
  readonly scene: Pick<Scene, "tags" | "media">;
  /** The page's query without a search. */
  readonly plain: string;
}

/** A link to an entry of the list, on whichever page of the list it is. With scripts it opens the entry without loading a document. */
export function EntryLink({ id, scene, plain, onClick, children, ...rest }: EntryLinkProps) {
  // An entry with which the document did not come is reached by the address of the document that has it.
  const isHere = [...scene.tags, ...scene.media].some((item) => item.id === id);
  const href = `${isHere ? "" : `?${plain}&tag=${id}`}#${tagAnchor(id)}`;
  return (
    <a
      {...rest}
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
