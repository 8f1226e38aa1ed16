import type { ReactNode } from "react";
import { Fact } from "~/components/fact";
import type { Viewpoint } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../editor/editor-context";
import { panoramaNodes } from "./panorama-nodes";
import { namedPlaces, viewLabels } from "./view-labels";

/**
 * Describes a view, with a drawing of its direction as seen from above.
 * With a mouse, elements with `data-reveal` are visible only while the card (`data-row`) is hovered or focused.
 */
export function ViewCard({ view, actions }: { readonly view: Viewpoint; readonly actions?: ReactNode }) {
  const { t, language } = useTranslation();
  const { state, source } = useEditorView();
  const landmarks = { places: namedPlaces(state.content.tags, language), rooms: panoramaNodes(source) };
  const { mode, position, direction } = viewLabels(view, landmarks, t);
  return (
    <div data-row="" className="flex gap-4 rounded border border-line bg-surface p-4">
      <svg
        aria-hidden="true"
        viewBox="0 0 48 48"
        width="48"
        height="48"
        className="shrink-0 text-accent"
        style={{ rotate: `${-view.yaw}rad` }}
      >
        <path d="M24 24 8 6a26 26 0 0 1 32 0z" fill="currentColor" opacity="0.25" />
        <circle cx="24" cy="24" r="5" fill="currentColor" />
      </svg>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Fact label={t("content:view.mode")}>{mode}</Fact>
        <Fact label={t("content:sceneEditor.view.where")}>{position}</Fact>
        <Fact label={t("content:sceneEditor.view.looks")}>{direction}</Fact>
      </dl>
      {actions && (
        <div data-reveal="" className="-my-2 -mr-2 ml-auto grid shrink-0 content-start noscript:hidden">
          {actions}
        </div>
      )}
    </div>
  );
}
