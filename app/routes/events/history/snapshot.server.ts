import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { MARKS, type MarkKind, markedTags } from "~/domain/content/change-marks";
import type { Lang, Uuid } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import { COMPARISONS, parseWholeNumber } from "./page.server";

/** Parses the state and the options of a URL: `?seq=…&with=…&since=…&marks=1`. */
export function parseSnapshotQuery(search: URLSearchParams) {
  const seq = parseWholeNumber(search.get("seq"));
  const comparisonParam = search.get("with");
  return {
    seq,
    comparison: COMPARISONS.find((state) => state === comparisonParam) ?? ("now" as const),
    since: parseWholeNumber(search.get("since")) ?? 0,
    isMarked: search.get("marks") === "1",
  };
}

/** Query of the URL with the same state and options. */
export const snapshotSearchParams = ({
  seq,
  comparison,
  since,
  isMarked,
}: ReturnType<typeof parseSnapshotQuery>) =>
  new URLSearchParams({
    seq: String(seq ?? 0),
    with: comparison,
    ...(since > 0 && { since: String(since) }),
    ...(isMarked && { marks: "1" }),
  });

/** Reads a recorded state as visitors saw it, with markers on the differences if the URL requests them. */
export async function readSnapshot(
  context: AppLoadContext,
  actor: Actor,
  eventId: Uuid,
  search: URLSearchParams,
  lang: Lang,
) {
  const options = parseSnapshotQuery(search);
  const snapshot = await context.services.history.readEventSnapshot({
    ...options,
    actor,
    eventId,
    seq: options.seq ?? 0,
  });
  const items = snapshot.difference?.items ?? [];
  const { t } = languages[lang];
  const event = options.isMarked
    ? {
        ...snapshot.event,
        tags: markedTags(snapshot.event.tags, items, {
          lang,
          kind: (kind) => t(`events:history.marks.${kind}`),
          title: (kinds, title) =>
            t("events:history.marked", { kinds, title: title || t("events:history.untitled") }),
          mediaItem: (title) =>
            t("events:history.markedMediaItem", { title: title || t("events:history.untitled") }),
        }),
      }
    : snapshot.event;
  const markCounts = MARKS.flatMap(({ kind, icon, color }) => {
    const count = items.filter(({ kinds }) => (kinds as readonly MarkKind[]).includes(kind)).length;
    return count > 0 ? [{ kind, icon, color, count }] : [];
  });
  return { options, snapshot, event, markCounts };
}
