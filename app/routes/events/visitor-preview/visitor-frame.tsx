import { SelectField } from "~/components/fields/select-field";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

/** Language and screen size of the visitor preview. */
export interface FrameChoice {
  readonly lang: Lang;
  readonly isPhone: boolean;
}

/** Fields for the language and the screen size. */
export function FrameFields({ lang, isPhone }: FrameChoice) {
  const { t } = useTranslation();
  return (
    <>
      <SelectField
        name="in"
        label={t("events:asVisitor.language")}
        defaultValue={lang}
        options={[
          { value: "ja", label: t("shared:japanese") },
          { value: "en", label: t("shared:english") },
        ]}
      />
      <SelectField
        name="size"
        label={t("events:asVisitor.size")}
        defaultValue={isPhone ? "phone" : "wide"}
        options={[
          { value: "wide", label: t("events:asVisitor.wide") },
          { value: "phone", label: t("events:asVisitor.phone") },
        ]}
      />
    </>
  );
}

/** The visitors' page in a frame. */
export function VisitorFrame({
  src,
  isPhone,
  title,
}: Pick<FrameChoice, "isPhone"> & { readonly src: string; readonly title: string }) {
  return (
    <iframe
      key={src}
      src={src}
      title={title}
      allow="fullscreen; xr-spatial-tracking; clipboard-write"
      className={`rounded-lg border border-line bg-paper shadow-raised ${isPhone ? "h-[48rem] w-full max-w-[390px] justify-self-center" : "h-[calc(100dvh-6rem)] min-h-[32rem] w-full"}`}
    />
  );
}
