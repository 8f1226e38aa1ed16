import { useState } from "react";
import { IconButton, IconLink } from "~/components/button";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";

/** Time for which the button shows that the link was copied, in milliseconds. */
const COPIED_SHOWN_MS = 3000;

export interface CopyLinkProps {
  /** Name of the event. */
  readonly name: string;
  readonly url: string;
  readonly mode: "published" | "preview";
  /** Called after the link was copied. */
  readonly onCopied: () => void;
}

/** Button that copies the link of an event. Without scripts, or without access to the clipboard, it is a link. */
export function CopyLink({ name, url, mode, onCopied }: CopyLinkProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  if (!hydrated || state === "failed")
    return <IconLink icon="link" label={t(`events:spaceEvents.link_${mode}`, { name })} href={url} />;
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => {
        setState("copied");
        onCopied();
        setTimeout(() => setState("idle"), COPIED_SHOWN_MS);
      },
      () => setState("failed"),
    );
  return (
    <>
      <IconButton
        icon={state === "copied" ? "check" : "link"}
        label={t(`events:spaceEvents.copyLink_${mode}`, { name })}
        onClick={copy}
      />
      <span role="status" className="sr-only">
        {state === "copied" ? t("shared:copied") : ""}
      </span>
    </>
  );
}
