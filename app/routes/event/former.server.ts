import type { AppLoadContext } from "@remix-run/cloudflare";
import { MARKS, type MarkKind, markedTags } from "~/domain/content/changed-places";
import type { Actor, Lang, Uuid } from "~/domain/shared/model";
import { languages } from "~/i18n/instances.server";
import { COMPARISONS, seqOf } from "./history/page.server";

/** Which state an address asks for, and whether with marks on what differs: `?seq=…&with=…&since=…&marks=1`. */
export function readFormerAsked(search: URLSearchParams) {
  const seq = seqOf(search.get("seq"));
  const wanted = search.get("with");
  return {
    seq,
    comparison: COMPARISONS.find((each) => each === wanted) ?? ("now" as const),
    since: seqOf(search.get("since")) ?? 0,
    marked: search.get("marks") === "1",
  };
}

/** The address of the same, for a page of it. */
export const formerQuery = ({ seq, comparison, since, marked }: ReturnType<typeof readFormerAsked>) =>
  new URLSearchParams({
    seq: String(seq ?? 0),
    with: comparison,
    ...(since > 0 && { since: String(since) }),
    ...(marked && { marks: "1" }),
  });

/** A recorded state as visitors saw it, with its marks if the address asks for them. */
export async function readFormerVisit(
  context: AppLoadContext,
  actor: Actor,
  eventId: Uuid,
  search: URLSearchParams,
  lang: Lang,
) {
  const asked = readFormerAsked(search);
  const found = await context.services.history.readEventSnapshot({
    ...asked,
    actor,
    eventId,
    seq: asked.seq ?? 0,
  });
  const items = found.difference?.items ?? [];
  const { t } = languages[lang];
  const event = asked.marked
    ? {
        ...found.event,
        tags: markedTags(found.event.tags, items, {
          lang,
          kind: (kind) => t(`events:history.marks.${kind}`),
          title: (kinds, title) =>
            t("events:history.marked", { kinds, title: title || t("events:history.untitled") }),
          medium: (title) =>
            t("events:history.markedMedium", { title: title || t("events:history.untitled") }),
        }),
      }
    : found.event;
  const counted = MARKS.flatMap(({ kind, icon, color }) => {
    const count = items.filter(({ kinds }) => (kinds as readonly MarkKind[]).includes(kind)).length;
    return count > 0 ? [{ kind, icon, color, count }] : [];
  });
  return { asked, found, event, counted };
}
