import { Notice } from "~/components/status/notice";
import type { EventContent } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import { createNearCheck } from "~/domain/spaces/near-check";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { getSurfacePoint } from "./placing";

/** Ids of the tags and media items that are far away from most others. */
export function findFarAwayIds({ tags, media }: Pick<EventContent, "tags" | "media">): ReadonlySet<Uuid> {
  const positions = [...tags, ...media].flatMap((item) => {
    const position = getSurfacePoint(item)?.position;
    return position ? [{ id: item.id, position }] : [];
  });
  const nearChecks = ([0, 1, 2] as const).map((axis) =>
    createNearCheck(positions.map(({ position }) => position[axis])),
  );
  const isFarAway = (position: readonly number[]) =>
    position.some((coordinate, axis) => nearChecks[axis]?.(coordinate) === false);
  return new Set(positions.filter(({ position }) => isFarAway(position)).map(({ id }) => id));
}

/** Notice that an item is far away from most others, probably outside of the space, where its pin is easily overlooked. */
export function FarNotice({ id }: { readonly id: Uuid }) {
  const { t } = useTranslation();
  const { state } = useEditorView();
  if (!findFarAwayIds(state.content).has(id)) return null;
  return (
    <Notice tone="warning" title={t("content:far")} live>
      {t("content:farText")}
    </Notice>
  );
}
