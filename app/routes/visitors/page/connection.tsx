import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { waitForRouteDiscovery } from "../../shared/wait-for-route-discovery";

/** Notice about a lost connection, which says what still works. When the connection is restored, the images that failed are loaded again. */
export default function ConnectionNotice() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [isLost, setLost] = useState(false);
  // A navigation that begins without a connection waits for it, instead of replacing the page with an error page.
  useEffect(() => waitForRouteDiscovery(pathname), [pathname]);
  useEffect(() => {
    const update = () => {
      setLost(!navigator.onLine);
      if (!navigator.onLine) return;
      for (const image of document.images)
        if (image.complete && image.naturalWidth === 0 && image.currentSrc)
          // Setting `src` to its value starts another request.
          image.setAttribute("src", image.src);
    };
    update();
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex justify-end">
      {isLost && (
        <p className="flex max-w-full items-center gap-3 rounded-lg bg-ink px-4 py-3 text-sm text-phrase text-paper shadow-raised">
          <Icon name="warning" />
          {t("visitors-late:offline")}
        </p>
      )}
    </div>
  );
}
