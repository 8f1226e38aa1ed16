import { useMemo, useState } from "react";
import type { EventContent } from "~/domain/content/content";
import { showcaseUrl } from "~/domain/events/url-params";
import type { UrlParams } from "~/domain/shared/model";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useTranslation } from "~/i18n/translation";
import type { Scene } from "../../visitors/scene/scene-types";

interface PreviewedPage {
  readonly scene: Pick<Scene, "source" | "poster">;
  /** `sid` is the id of a Matterport model; null for other spaces. */
  readonly space: { readonly sid: string | null };
  readonly content: Pick<EventContent, "scene">;
  readonly event: Pick<EventFormEvent, "saved">;
}

/**
 * The editor's scene, which begins at the event's start view, with the URL parameters of the form before they are saved. Only a Matterport showcase reads
 * them.
 * @param result result of a form without scripts, which may have requested the preview
 */
export function useParamPreview(
  { scene: savedScene, space, content, event }: PreviewedPage,
  result: unknown,
) {
  const { language } = useTranslation();
  const [params, setParams] = useState<UrlParams | null>(null);
  // A later change of the start view must not load the space again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const startView = useMemo(() => content.scene.startView, [event.saved.id]);
  const source = { ...savedScene.source, ...(startView && { start: startView }) };
  const scene = { ...savedScene, source };
  if (source.kind !== "showcase" || space.sid === null) return { scene, showParams: setParams };
  const requestedPreview = (result as { readonly paramPreview?: string | null } | undefined)?.paramPreview;
  const src = params === null ? requestedPreview : showcaseUrl(space.sid, params, language);
  return { scene: src ? { ...scene, source: { ...source, src } } : scene, showParams: setParams };
}
