import { useEffect, useId, useRef, useState } from "react";
import { Anchor } from "~/components/anchor";
import { Button, IconButton } from "~/components/button";
import { Container } from "~/components/container";
import { cx } from "~/components/cx";
import { formatBytes } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import { currentQueue, useUploads } from "./current-queue";
import { Progress, UploadRows } from "./upload-rows";
import { sumRows, UPLOAD_TRAY_GROUP, type UploadsSnapshot } from "./upload-state";
import { useMilestone } from "./use-milestone";

/** Lists the uploads of this tab that belong to no form, at the bottom of the window. */
export default function UploadTray() {
  const { t } = useTranslation();
  const { rows, halted } = useUploads();
  const trayRows = rows.filter(({ group }) => group === UPLOAD_TRAY_GROUP);
  const total = sumRows(trayRows);
  // Missing: this browser does not have the file, so it must be chosen again.
  const hasMissing = total.missing > 0;
  const hasOnlyMissing = total.missing === trayRows.length;
  const [chosenOpen, setChosenOpen] = useState<boolean | null>(null);
  // If all files are missing, the list stays closed, because the uploads may be left from an earlier visit.
  const isOpen = chosenOpen ?? !hasOnlyMissing;
  const titleId = useId();
  const listId = useId();
  const tray = useDockHeight();
  const announcement = useMilestone(trayRows, halted);
  const bytes = t("library:uploads.bytes", { sent: formatBytes(total.sent), size: formatBytes(total.size) });
  return (
    <section
      ref={tray}
      aria-labelledby={titleId}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-raised shadow-raised"
    >
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <Container className="grid grid-cols-1 py-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h2 id={titleId} className={cx("text-sm font-semibold", hasOnlyMissing && "sr-only")}>
            {t("library:uploads.title")}
          </h2>
          {hasMissing && (
            <p className="text-xs font-semibold tabular-nums">
              {t("library:uploads.stopped", { count: total.missing })}
            </p>
          )}
          {total.files > 0 && !hasOnlyMissing && (
            <p className="text-xs text-muted tabular-nums">
              {t("library:uploads.total", { done: total.done, count: total.files })}
              <span className="ml-3">{bytes}</span>
            </p>
          )}
          {total.rejected > 0 && (
            <p className="text-xs font-semibold text-danger tabular-nums">
              {t("library:uploads.rejected", { count: total.rejected })}
            </p>
          )}
          <div className="ml-auto flex flex-wrap items-center gap-1">
            {total.underWay > 0 && (
              <Button variant="quiet" onClick={() => currentQueue()?.pauseAll(UPLOAD_TRAY_GROUP)}>
                {t("library:uploads.pauseAll")}
              </Button>
            )}
            {total.underWay === 0 && total.paused > 0 && (
              <Button variant="quiet" onClick={() => currentQueue()?.resumeAll(UPLOAD_TRAY_GROUP)}>
                {t("library:uploads.resumeAll")}
              </Button>
            )}
            {total.underWay === 0 && total.ended > 0 && (
              <Button variant="quiet" onClick={() => currentQueue()?.clearEnded(UPLOAD_TRAY_GROUP)}>
                {t("library:uploads.clear")}
              </Button>
            )}
            {hasMissing && (
              <Button variant="quiet" onClick={() => currentQueue()?.discardMissing(UPLOAD_TRAY_GROUP)}>
                {t("library:uploads.discardAll")}
              </Button>
            )}
            <IconButton
              icon={isOpen ? "chevron-down" : "chevron-up"}
              label={isOpen ? t("library:uploads.hide") : t("library:uploads.show")}
              aria-expanded={isOpen}
              aria-controls={listId}
              onClick={() => setChosenOpen(!isOpen)}
            />
          </div>
        </div>
        {total.files > 0 && !hasOnlyMissing && (
          <Progress
            label={t("library:uploads.totalProgress")}
            value={total.sent}
            max={total.size}
            className="mt-1"
          />
        )}
        <HaltNotice halted={halted} />
        <div id={listId} hidden={!isOpen} className="mt-1 max-h-[min(25dvh,20rem)] overflow-y-auto">
          <UploadRows rows={trayRows} />
        </div>
      </Container>
    </section>
  );
}

/** States why no file is sent although files are waiting: the browser is offline, or the user is logged out. */
function HaltNotice({ halted }: Pick<UploadsSnapshot, "halted">) {
  const { t } = useTranslation();
  if (!halted) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 pt-2 text-sm">
      <p className="text-phrase text-warning">{t(`library:uploads.${halted}`)}</p>
      {halted === "signedOut" && (
        <p className="flex items-center gap-1">
          <Anchor
            href="/login"
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-10 items-center font-semibold underline"
          >
            {t("library:uploads.login")}
          </Anchor>
          <Button variant="quiet" onClick={() => currentQueue()?.tryAgain()}>
            {t("library:uploads.resume")}
          </Button>
        </p>
      )}
    </div>
  );
}

/** Returns a ref for the tray. Its height is kept in `--dock`, so that the end of the page, its bars and its toasts stay above it. */
function useDockHeight() {
  const tray = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = tray.current;
    if (!element) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty("--dock", `${element.offsetHeight}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty("--dock");
    };
  }, []);
  return tray;
}
