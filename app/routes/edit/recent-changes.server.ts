import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ContentChange } from "~/domain/content";
import { inLanguage } from "~/domain/localized";
import type { Actor, Uuid } from "~/domain/model";

/** Changes that the panel shows. */
const SHOWN = 20;

/** The last changes of an event, newest first. */
export async function readRecentChanges(context: AppLoadContext, actor: Actor, eventId: Uuid, seq: number) {
  const { changes } = await context.services.content.readChanges({
    actor,
    eventId,
    after: Math.max(0, seq - 200),
  });
  const titleOf = ({ after }: ContentChange) =>
    after && "title" in after ? inLanguage(after.title, context.lang).text : "";
  return changes
    .slice(-SHOWN)
    .reverse()
    .map((change) => ({
      seq: change.seq,
      at: change.at,
      actorName: change.actorName,
      itemType: change.itemType,
      title: titleOf(change),
      isGone: change.after === null,
    }));
}

export type RecentChange = Awaited<ReturnType<typeof readRecentChanges>>[number];
