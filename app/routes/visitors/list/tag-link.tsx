import { useEffect, useState } from "react";
import { Icon } from "~/components/icon";
import { useTranslation } from "~/i18n/translation";
import { tagAnchor, viewerLink } from "~/viewer/Viewer";

/** Time for which the result of copying is displayed, in milliseconds. */
const RESULT_SHOWN_MS = 4000;

/**
 * Link to a tag. Following it adds the tag's fragment to the URL in the address bar, with and without scripts; with scripts it also copies a URL with the
 * parameter `tag` to the clipboard and confirms this.
 */
export function TagLink({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [copyState, setCopyState] = useState<"" | "copied" | "failed">("");
  // Screen readers announce a change only in a status element that already exists. Each link gets its status element when it is first focused or
  // pointed at, because a page has many links.
  const [isReached, setReached] = useState(false);
  useEffect(() => {
    if (copyState === "") return;
    const timer = setTimeout(() => setCopyState(""), RESULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copyState]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(viewerLink(window.location.href, null, id));
      setCopyState("copied");
    } catch {
      // Framed pages and pages over http may not write to the clipboard.
      setCopyState("failed");
    }
  };
  return (
    <>
      <a
        href={`#${tagAnchor(id)}`}
        onClick={() => void copy()}
        onFocus={() => setReached(true)}
        onPointerEnter={() => setReached(true)}
        className="tag-link text-link"
      >
        {copyState === "copied" && <Icon name="check" size={16} />}
        {t("visitors:linkToTag")}
      </a>
      {isReached && (
        <span
          role="status"
          className={`self-center ${copyState === "copied" ? "text-success" : "text-muted"}`}
        >
          {copyState === "copied" && t("visitors:tagLinkCopied")}
          {copyState === "failed" && t("visitors:tagLinkFailed")}
        </span>
      )}
    </>
  );
}
