import { Form, useSearchParams, useSubmit } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "~/components/button";
import { SelectField } from "~/components/fields/select-field";
import { useHydrated } from "~/components/use-hydrated";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

/** Language and screen size of the visitor preview. */
export interface FrameChoice {
  readonly lang: Lang;
  readonly isPhone: boolean;
}

/** Media query of windows in which the initial screen size is a phone's, unless the URL names a size. */
const NARROW = "(width < 40rem)";

interface FrameFormProps extends FrameChoice {
  readonly children: ReactNode;
  /** Field for the time at which the event is shown, if the page has one. */
  readonly timeField?: ReactNode;
}

/**
 * Form of a preview: the page's own fields, the language and the screen size. With scripts, its row scrolls sideways in narrow windows, a choice
 * applies at once, and a typed time applies when its field loses the focus.
 */
export function FrameForm({ lang, isPhone, children, timeField }: FrameFormProps) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const hasSize = useSearchParams()[0].has("size");
  const apply = () => submit(form.current, { replace: true, preventScrollReset: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the window's size is read only when the page is loaded
  useEffect(() => {
    const size = form.current?.elements.namedItem("size") as HTMLSelectElement | null | undefined;
    if (hasSize || !size || !matchMedia(NARROW).matches) return;
    size.value = "phone";
    apply();
  }, []);
  return (
    <Form
      ref={form}
      method="get"
      onChange={({ target }) => {
        if ((target as EventTarget) instanceof HTMLSelectElement) apply();
      }}
      onBlur={({ target }) => {
        if (target instanceof HTMLInputElement && target.value !== target.defaultValue) apply();
      }}
      className="flex items-start gap-x-4 gap-y-3 max-sm:-mx-4 max-sm:gap-x-3 max-sm:overflow-x-auto max-sm:px-4 max-sm:pb-1 sm:flex-wrap noscript:flex-wrap *:max-sm:shrink-0"
    >
      {children}
      <SelectField
        name="in"
        label={t("events:preview.language")}
        defaultValue={lang}
        options={[
          { value: "ja", label: t("shared:japanese") },
          { value: "en", label: t("shared:english") },
        ]}
      />
      <SelectField
        name="size"
        label={t("events:preview.size")}
        defaultValue={isPhone ? "phone" : "wide"}
        options={[
          { value: "wide", label: t("events:preview.wide") },
          { value: "phone", label: t("events:preview.phone") },
        ]}
      />
      {timeField}
      {!hydrated && (
        <div className="grid gap-1.5">
          {/* The height matches the labels beside it. */}
          <span aria-hidden="true" className="text-sm">
            {"\u00a0"}
          </span>
          <Button type="submit" variant="primary">
            {t("events:preview.show")}
          </Button>
        </div>
      )}
    </Form>
  );
}

/** The visitors' page in a frame. */
export function VisitorFrame({
  src,
  isPhone,
  title,
}: Pick<FrameChoice, "isPhone"> & { readonly src: string; readonly title: string }) {
  return (
    // The surrounding frame clips the page's corners. Round corners of the page itself would show its dark stage at their edges.
    <div
      className={`min-h-[32rem] w-full overflow-hidden rounded-lg border border-line bg-paper shadow-raised ${isPhone ? "h-[min(52.75rem,calc(100dvh-6rem))] max-w-[390px] justify-self-center" : "h-[calc(100dvh-6rem)]"}`}
    >
      <iframe
        key={src}
        src={src}
        title={title}
        allow="fullscreen; xr-spatial-tracking; clipboard-write"
        className="block size-full"
      />
    </div>
  );
}

/** Head of a preview above its frame. A phone is beside the head in wide windows, so that all of it fits into the window. */
export function FrameLayout({
  isPhone,
  head,
  children,
}: Pick<FrameChoice, "isPhone"> & { readonly head: ReactNode; readonly children: ReactNode }) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className={`mx-auto grid w-full max-w-[90rem] grid-cols-1 gap-4 px-4 py-4 sm:px-6 ${isPhone ? "lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-8" : ""}`}
    >
      <div className="grid grid-cols-1 content-start gap-4">{head}</div>
      {children}
    </main>
  );
}
