import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { Button } from "~/components/button";
import { Notice } from "~/components/notice";
import { COORDINATE_MAX, PLAN_WIDTH_MAX } from "~/domain/limits";
import { inLanguage } from "~/domain/localized";
import { atWidth } from "~/domain/media-address";
import type { FloorPlan } from "~/domain/model";
import { alignedBy, type KnownPoint, type MapFrame, mapShare, movedTo } from "~/domain/plan-map";
import { useTranslation } from "~/i18n/use-translation";
import { makePins } from "../visit/scene-pins";
import { useEditorView } from "./editor-context";
import { type Mark, PlanMark } from "./plan-mark";
import { useHere } from "./use-here";
import { fileUrl } from "./use-stage-content";

/** A mark that somebody has put where it belongs. */
interface Fixed extends KnownPoint {
  readonly id: string;
}

/** Shares of the picture that an arrow key moves a mark by, and with Shift. */
const STEP = 0.005;
const LONG_STEP = 0.05;
const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const HERE = "here";
const within = (share: number) => Math.min(1, Math.max(0, share));

/**
 * The picture with what has a place in the space. With scripts each mark can be put where it belongs in the picture: the first moves
 * the picture, each further one also turns and scales it around the one before.
 */
export function PlanAlign({ plan }: { readonly plan: FloorPlan }) {
  const { t, language } = useTranslation();
  const { editor, state } = useEditorView();
  const { tags, media } = state.content;
  const medium = media.find(({ id }) => id === plan.mediaId);
  const map = useRef<HTMLDivElement>(null);
  const [fixed, setFixed] = useState<readonly Fixed[]>([]);
  const [said, setSaid] = useState("");
  const drag = useRef<{ readonly mark: Mark; readonly frame: MapFrame } | null>(null);
  const here = useHere(editor !== null);
  if (!medium?.width || !medium.height) return null;
  const aspect = medium.height / medium.width;
  const frame: MapFrame = { ...plan, height: plan.width * aspect };
  const marks: Mark[] = makePins({ tags, media, lang: language }).map(({ id, label, color, position }) => ({
    ...{ id, title: label, color, position, isFixed: fixed.some((each) => each.id === id) },
  }));
  if (here) {
    const { position, yaw } = here;
    // Whoever walks on stands at another point, which can be fixed as well.
    const id = `here ${position[0].toFixed(2)} ${position[2].toFixed(2)}`;
    const isFixed = fixed.some((each) => each.id === id);
    marks.push({ id, title: t("sceneEditor.plan.here"), color: null, position, yaw, isFixed });
  }
  const shares = new Map(marks.map((mark) => [mark.id, mapShare(mark.position, frame)]));
  const outside = [...shares.values()].filter(
    ({ left, top }) => left !== within(left) || top !== within(top),
  ).length;

  /** Lays the picture so that a mark is there. @param from how it lay before */
  const put = (mark: Mark, from: MapFrame, left: number, top: number, key?: string) => {
    const point: Fixed = { id: mark.id, place: [mark.position[0], mark.position[2]], left, top };
    const other = fixed.findLast(({ id }) => id !== mark.id);
    const next = other ? alignedBy(from, other, point) : movedTo(from, point);
    if (!next) return setSaid(t("sceneEditor.plan.nearer"));
    const { center, width, rotation } = next;
    if (width > PLAN_WIDTH_MAX || center.some((part) => Math.abs(part) > COORDINATE_MAX)) return;
    editor?.run([{ op: "update_scene", values: { plan: { ...plan, center, width, rotation } } }], key);
    setFixed(other ? [other, point] : [point]);
    setSaid(t("sceneEditor.plan.fixed", { title: mark.title }));
  };
  const dragging = (mark: Mark) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { mark, frame };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const box = map.current?.getBoundingClientRect();
      if (!drag.current || !box) return;
      const left = within((event.clientX - box.left) / box.width);
      const top = within((event.clientY - box.top) / box.height);
      put(drag.current.mark, drag.current.frame, left, top, `plan ${mark.id} drag`);
    },
    onPointerUp: () => {
      drag.current = null;
    },
    onPointerCancel: () => {
      drag.current = null;
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const way = KEYS[event.key];
      const at = shares.get(mark.id);
      if (!way || !at || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const step = event.shiftKey ? LONG_STEP : STEP;
      const [left, top] = [within(at.left + way[0] * step), within(at.top + way[1] * step)];
      put(mark, frame, left, top, `plan ${mark.id} keys`);
    },
  });
  return (
    <section aria-labelledby="plan-align" className="grid gap-3">
      <h3 id="plan-align" className="text-base font-semibold">
        {t(editor ? "sceneEditor.plan.align" : "sceneEditor.plan.map")}
      </h3>
      {editor && (
        <p className="text-xs text-muted text-phrase">
          {t(marks.length > 0 ? "sceneEditor.plan.alignHint" : "sceneEditor.plan.noMarks")}
        </p>
      )}
      <div className="rounded border border-line bg-surface p-5">
        <div ref={map} className="relative w-full" style={{ aspectRatio: 1 / aspect }}>
          <img
            src={atWidth(fileUrl(medium.libraryItemId), 1280)}
            alt={inLanguage(medium.title, language).text}
            draggable={false}
            className="size-full object-fill select-none"
          />
          {marks.map((mark) => {
            const { left, top } = shares.get(mark.id) ?? { left: 0, top: 0 };
            return (
              <PlanMark
                key={mark.color ? mark.id : HERE}
                mark={mark}
                left={within(left)}
                top={within(top)}
                isOutside={left !== within(left) || top !== within(top)}
                turn={frame.rotation}
                handlers={editor ? dragging(mark) : null}
              />
            );
          })}
        </div>
      </div>
      {outside > 0 && <Notice tone="warning">{t("sceneEditor.plan.outside", { count: outside })}</Notice>}
      <p role="status" className="text-xs text-muted empty:hidden">
        {said}
      </p>
      {fixed.length > 0 && (
        <Button
          variant="quiet"
          icon="retry"
          className="-ml-3 w-fit"
          onClick={() => {
            setFixed([]);
            setSaid("");
          }}
        >
          {t("sceneEditor.plan.again")}
        </Button>
      )}
    </section>
  );
}
