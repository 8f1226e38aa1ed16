import { type FocusEvent, useRef, useState } from "react";
import { useTranslation } from "~/i18n/translation";
import { Button } from "../button";
import { cx } from "../cx";
import { useHydrated } from "../use-hydrated";
import { Field, type FieldProps, fieldIds } from "./field";

export interface CopyFieldProps extends Pick<FieldProps, "label" | "hint"> {
  readonly id: string;
  readonly value: string;
  /** Whether a long value wraps instead of being cut off, for values that users type elsewhere or see only once. */
  readonly wraps?: boolean;
  /** Called after the button has copied the value. */
  readonly onCopied?: () => void;
}

/** A value to copy, such as a link: `<CopyField id="public-link" label=… value={url} />`. The copy button is visible only with scripts. */
export function CopyField({ id, label, hint, value, wraps = false, onCopied }: CopyFieldProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const input = useRef<(HTMLInputElement & HTMLTextAreaElement) | null>(null);
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const ids = fieldIds(id, { hint });

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
      onCopied?.();
    } catch {
      input.current?.focus();
      input.current?.select();
      setState("failed");
    }
    setTimeout(() => setState("idle"), 3000);
  };
  const inputProps = {
    ref: input,
    id: ids.id,
    "aria-describedby": ids.describedBy,
    readOnly: true,
    value,
    onFocus: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.currentTarget.select(),
  };
  return (
    <Field label={label} hint={hint} ids={ids}>
      <div className={cx("flex gap-2", wraps && "flex-wrap items-start")}>
        {wraps ? (
          // In browsers without field-sizing, `rows` sets the height.
          <textarea
            {...inputProps}
            rows={2}
            spellCheck={false}
            className="control min-h-10 min-w-0 flex-1 basis-64 resize-none py-2 wrap-anywhere field-sizing-content"
          />
        ) : (
          <input {...inputProps} type="text" className="control min-w-0 flex-1 text-ellipsis" />
        )}
        <Button
          icon={state === "copied" ? "check" : "copy"}
          aria-label={t("shared:copyThis", { label })}
          onClick={copy}
          className={cx("needs-script", !hydrated && "invisible")}
        >
          {state === "copied" ? t("shared:copied") : t("shared:copy")}
        </Button>
      </div>
      <p role="status" className={state === "failed" ? "text-sm text-danger" : "sr-only"}>
        {state === "copied" ? t("shared:copied") : state === "failed" ? t("shared:copyFailed") : ""}
      </p>
    </Field>
  );
}
