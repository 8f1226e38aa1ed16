import { useSearchParams } from "@remix-run/react";
import { Dialog } from "~/components/dialog";
import { treeListParams } from "~/domain/folders/tree-list.schema";
import { WebMediaForm, WebUrlForm } from "~/forms/library/web-media-form";
import { useTranslation } from "~/i18n/translation";
import type { WebMediaOutcome } from "./action.server";
import type { WebDialogData } from "./dialog.server";
import { WebPreview } from "./preview";

export interface WebDialogProps {
  readonly dialog: WebDialogData;
  /** Result of the form, if it was submitted. */
  readonly outcome: WebMediaOutcome | null;
  /** URL of the list without the dialog. */
  readonly closeHref: string;
}

/**
 * Adds a web media item: a media item that another site plays, for example a video. The first step asks for its URL, the second shows its preview and asks
 * for its title. Each step is a page of its own, which keeps the parameters of the list behind the dialog.
 */
export function WebDialog({ dialog, outcome, closeHref }: WebDialogProps) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const listParams = treeListParams(searchParams);
  const { preview } = dialog;
  const retryParams = new URLSearchParams(listParams);
  retryParams.set("dialog", "web");
  return (
    <Dialog key={preview?.url ?? "ask"} title={t("library:webMedia.add")} closeHref={closeHref}>
      {preview ? (
        <div className="grid gap-6">
          <WebPreview preview={preview} />
          <WebMediaForm
            lastResult={outcome?.lastResult}
            url={preview.url}
            title={preview.title}
            againHref={`?${retryParams}`}
            cancelHref={closeHref}
          />
        </div>
      ) : (
        <WebUrlForm
          typed={dialog.typed}
          problem={dialog.problem}
          providers={dialog.providers}
          keptParams={[...listParams]}
          cancelHref={closeHref}
        />
      )}
    </Dialog>
  );
}
