import type { LibraryItem } from "~/domain/model";
import type { MediumFacts } from "~/editor/content";

/** What an event's medium knows from its item in the library. */
export const factsOf = ({
  kind,
  mimeType,
  byteSize,
  width,
  height,
  duration,
  web,
}: Pick<
  LibraryItem,
  "kind" | "mimeType" | "byteSize" | "width" | "height" | "duration" | "web"
>): MediumFacts => ({
  kind,
  mimeType,
  byteSize,
  width,
  height,
  duration,
  web,
});
