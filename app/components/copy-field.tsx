import { useRef, useState } from "react";
import { useTranslation } from "~/i18n/use-translation";
import { Button } from "./button";
import { cx } from "./classes";
import { Field, type FieldProps, fieldIds } from "./field";
import { useHydrated } from "./use-hydrated";

export interface CopyFieldProps extends Pick<FieldProps, "label" | "hint"> {
  readonly id: string;
  readonly value: string;
  readonly className?: string;
}

/** Something to take along, a link say: `<CopyField id="public-link" label=… value={url} />`. Scripts add the copy button. */
export function CopyField({ id, label, hint, value, className }: CopyFieldProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const ids = fieldIds(id, { hint });

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
    } catch {
      input.current?.focus();
      input.current?.select();
      setState("failed");
    }
    setTimeout(() => setState("idle"), 3000);
  };
  return (
    <Field {...{ label, hint, ids, className }}>
      <div className="flex gap-2">
        <input
          ref={input}
          id={ids.id}
          aria-describedby={ids.describedBy}
          type="text"
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          className="control min-w-0 flex-1 text-ellipsis"
        />
        <Button
          icon={state === "copied" ? "check" : "copy"}
          aria-label={t("kit.copyThis", { label })}
          onClick={copy}
          className={cx("needs-script", !hydrated && "invisible")}
        >
          {state === "copied" ? t("kit.copied") : t("kit.copy")}
        </Button>
      </div>
      <p role="status" className={state === "failed" ? "text-sm text-danger" : "sr-only"}>
        {state === "copied" ? t("kit.copied") : state === "failed" ? t("kit.copyFailed") : ""}
      </p>
    </Field>
  );
}
