import { Form, useNavigate } from "@remix-run/react";
import type { FormEvent } from "react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { Icon } from "~/components/icon";
import { newMediaValues } from "~/domain/content/content";
import { atWidth } from "~/domain/library/media-url";
import { inLanguage } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";
import type { Edit } from "~/features/content/editor/content";
import { useTranslation } from "~/i18n/translation";
import { HiddenMark } from "../../library/list/hidden-notice";
import type { HiddenFile } from "../editor/editor-context";
import { useEditorView } from "../editor/editor-context";
import { panelHref } from "../editor/panels";
import { useHiddenFile } from "../items/hidden-files";
import { LibraryChoices } from "../media-picker/library-choices";
import type { Picker } from "../media-picker/read.server";
import { fileUrl } from "../placement/use-stage-content";
import { firstPlan } from "./first-plan";

/** Chooses the image of the floor plan from the event or the library. Each choice is a form. */
export function PlanPicker({ picker }: { readonly picker: Picker }) {
  const { t, language } = useTranslation();
  const navigate = useNavigate();
  const { editor, state } = useEditorView();
  const { content } = state;
  const getHiddenFile = useHiddenFile();
  const currentPlan = content.scene.plan;
  const choose = (image: Parameters<typeof firstPlan>[0], editsBefore: readonly Edit[] = []) => {
    const plan = currentPlan ? { ...currentPlan, mediaId: image.id } : firstPlan(image, content);
    editor?.run([...editsBefore, { op: "update_scene", values: { plan } }]);
    navigate(panelHref("plan", { align: "1" }), { preventScrollReset: true });
  };
  const chooseItem = (item: Picker["items"][number]) => {
    const id = crypto.randomUUID();
    const values = newMediaValues(item.id, item.title, language);
    choose({ ...item.metadata, id }, [{ op: "create_media", id, values, metadata: item.metadata }]);
  };
  const images = content.media.filter(({ kind }) => kind === "image");
  return (
    <div className="grid grid-cols-1 gap-8">
      <div>
        <Anchor
          href={panelHref("plan")}
          keepScroll
          className="inline-flex min-h-10 items-center gap-2 text-sm text-muted hover:underline"
        >
          <Icon name="arrow-left" size={16} />
          {t("content:sceneEditor.plan.back")}
        </Anchor>
        <h2 className="text-lg leading-title font-semibold">{t("content:sceneEditor.plan.choose")}</h2>
      </div>
      {images.length > 0 && (
        <section aria-labelledby="plan-of-event" className="grid gap-3">
          <h3 id="plan-of-event" className="text-base font-semibold">
            {t("content:sceneEditor.plan.ofEvent")}
          </h3>
          <ul className="ruled">
            {images.map((mediaItem) => (
              <li key={mediaItem.id}>
                <PlanImageChoice
                  name="mediaId"
                  id={mediaItem.id}
                  title={inLanguage(mediaItem.title, language).text || t("content:untitled")}
                  image={atWidth(fileUrl(mediaItem.libraryItemId), 320)}
                  hidden={getHiddenFile(mediaItem)}
                  onUse={editor && (() => choose(mediaItem))}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <LibraryChoices
        picker={picker}
        renderRow={(item) => (
          <PlanImageChoice
            name="libraryItemId"
            id={item.id}
            title={item.title}
            image={item.image}
            hidden={item.hidden}
            onUse={editor && (() => chooseItem(item))}
          />
        )}
      />
    </div>
  );
}

interface PlanImageChoiceProps {
  readonly name: "mediaId" | "libraryItemId";
  readonly id: Uuid;
  readonly title: string;
  readonly image: string | null;
  readonly hidden: HiddenFile | null;
  readonly onUse: (() => void) | null;
}

function PlanImageChoice({ name, id, title, image, hidden, onUse }: PlanImageChoiceProps) {
  const { t } = useTranslation();
  const onSubmit = (event: FormEvent) => {
    if (!onUse) return;
    event.preventDefault();
    onUse();
  };
  return (
    <Form method="post" onSubmit={onSubmit} preventScrollReset className="flex items-center gap-3 py-1">
      <input type="hidden" name="intent" value="plan" />
      <input type="hidden" name={name} value={id} />
      {image && (
        <img
          src={image}
          alt=""
          loading="lazy"
          width={64}
          height={48}
          className="h-12 w-16 shrink-0 rounded-sm object-contain"
        />
      )}
      <span className="grid min-w-0 flex-1 text-sm wrap-anywhere">
        {title}
        {hidden && (
          <span className="text-xs text-phrase">
            <HiddenMark {...hidden} />
          </span>
        )}
      </span>
      <Button
        type="submit"
        name="do"
        value="pick"
        icon="check"
        aria-label={t("content:sceneEditor.plan.useThis", { title })}
      >
        {t("content:sceneEditor.plan.use")}
      </Button>
    </Form>
  );
}
