import { useState } from "react";
import { showcaseUrl } from "~/domain/events/url-params";
import type { UrlParams } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";
import type { Scene } from "../../visitors/scene/scene-types";

interface PreviewedPage {
  readonly scene: Pick<Scene, "source" | "poster">;
  readonly space: { readonly sid: string | null };
}

/**
 * The editor's scene with the URL parameters of the form before they are saved. Only a showcase reads them: other sources stay as they are.
 * @param result result of a form without scripts, which may have requested the preview
 */
export function useParamPreview({ scene, space }: PreviewedPage, result: unknown) {
  const { language } = useTranslation();
  const [params, setParams] = useState<UrlParams | null>(null);
  const { source } = scene;
  if (source.kind !== "showcase" || space.sid === null) return { scene, showParams: setParams };
  const requestedPreview = (result as { readonly paramPreview?: string | null } | undefined)?.paramPreview;
  const src = params === null ? requestedPreview : showcaseUrl(space.sid, params, language);
  return { scene: src ? { ...scene, source: { ...source, src } } : scene, showParams: setParams };
}
