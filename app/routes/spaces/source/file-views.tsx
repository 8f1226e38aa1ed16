import { useEffect, useState } from "react";
import { Button } from "~/components/button";
import { MODEL_DISPLAY, type ModelDisplay } from "~/domain/spaces/model-display";
import { useTranslation } from "~/i18n/translation";
import { fetchModelViews, type ModelView } from "~/viewer/core/model-views";
import type { ViewerHandle } from "~/viewer/Viewer";

/** Buttons for the cameras that a model's file contains. Each moves the viewer's camera there, so that the owner can use the view as the space's start view. */
export function FileViews({
  url,
  display,
  stage,
}: {
  readonly url: string;
  readonly display: ModelDisplay | undefined;
  readonly stage: { readonly current: ViewerHandle | null };
}) {
  const { t } = useTranslation();
  const { scale, up, turn, scene } = display ?? MODEL_DISPLAY;
  const [views, setViews] = useState<readonly ModelView[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    fetchModelViews(url, { scale, up, turn, scene }, controller.signal)
      .then(setViews)
      // The viewer reports files that cannot be loaded.
      .catch(() => {});
    return () => controller.abort();
  }, [url, scale, up, turn, scene]);
  if (views.length === 0) return null;
  return (
    <section aria-labelledby="file-views" className="grid gap-2">
      <h3 id="file-views" className="text-sm font-semibold">
        {t("spaces:sources.views")}
      </h3>
      <p className="text-xs text-muted">{t("spaces:sources.viewsHint")}</p>
      <ul className="flex flex-wrap gap-2">
        {views.map(({ name, viewpoint }, index) => (
          <li key={`${name} ${JSON.stringify(viewpoint)}`}>
            <Button onClick={() => stage.current?.goTo(viewpoint)}>
              {name || t("spaces:sources.viewUnnamed", { number: index + 1 })}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
