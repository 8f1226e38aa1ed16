import { useEffect, useState } from "react";
import { useTranslation } from "~/i18n/translation";

/** Says that a script of this page could not be loaded, for example because a newer build is out, and offers to load the page again. */
export function MissingPart() {
  const { t } = useTranslation();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    // Vite's loader sends this event for every dynamic import that fails.
    const show = () => setMissing(true);
    addEventListener("vite:preloadError", show);
    return () => removeEventListener("vite:preloadError", show);
  }, []);
  return (
    isMissing && (
      <p
        role="alert"
        className="fixed inset-x-4 top-4 z-50 mx-auto flex w-fit flex-wrap gap-x-4 gap-y-1 rounded-lg bg-ink px-4 py-3 text-sm text-paper shadow-raised"
      >
        {t("shared:missingPart")}
        <button type="button" onClick={() => location.reload()} className="font-semibold underline">
          {t("shared:loadAgain")}
        </button>
      </p>
    )
  );
}
