import { Form, useNavigate, useNavigation, useSearchParams } from "@remix-run/react";
import { type MutableRefObject, useEffect, useRef, useState } from "react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { TextField } from "~/components/fields/text-field";
import { SPACE_NAME_MAX } from "~/domain/shared/limits";
import type { MediaKind, SourceKind } from "~/domain/shared/model";
import { BatchUploader } from "~/features/library/uploads/batch-uploader";
import { useIsUploading, useUploadRow } from "~/features/library/uploads/uploader";
import type { MessageKey } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { SourceImage } from "./source-image";

/** Kinds of files that a space can be made of. */
const KINDS = ["model", "image", "splat"] as const satisfies readonly MediaKind[];
const CARDS = ["model", "panorama", "splat", "showcase"] as const satisfies readonly SourceKind[];

/** Group of this screen's uploads. */
const GROUP = "source";

const cardClasses =
  "flex h-full w-full flex-col rounded border border-line text-left text-sm text-ink no-underline hover:border-edge hover:bg-surface/50";

export interface StartScreenProps {
  readonly upload: { readonly ownerId: string | null; readonly freeBytes: number };
  /** Submitted link that is not the link of a showcase; empty if there is none. */
  readonly invalidLink: string;
  /** Message for this link; null without one. */
  readonly linkProblem: MessageKey | null;
}

/** First screen of a new space: upload of files, a link to a showcase (a Matterport space), the sample room, or the choice of a source kind by its drawing. */
export function StartScreen({ upload, invalidLink, linkProblem }: StartScreenProps) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const navigation = useNavigation();
  const busy = navigation.formMethod === "POST";
  const name = useRef("");
  const linkForm = useLinkPaste();
  const uploading = useUploadRow(GROUP);
  // Other ways to start are hidden during an upload, so that the button for the next step is in sight.
  const isUploading =
    useIsUploading(GROUP) || (uploading?.state === "done" && navigation.state === "loading");
  const locationParams = [...searchParams].filter(([key]) => key === "owner" || key === "folder");
  const hrefOf = (params: Record<string, string>) =>
    `?${new URLSearchParams([...Object.entries(params), ...locationParams])}`;
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid gap-6 rounded-lg border-2 border-dashed border-edge/60 p-4 sm:p-6 lg:grid-cols-2 lg:gap-10">
        <section aria-labelledby="start-file" className="grid min-w-0 content-start gap-3">
          <h2 id="start-file" className="text-base font-semibold">
            {t("spaces:start.file")}
          </h2>
          <BatchUploader
            {...upload}
            kinds={KINDS}
            multiple
            group={GROUP}
            onReady={(items) => {
              const typedName = name.current.trim();
              const media = items.map(({ uuid }) => ["media", uuid] as [string, string]);
              const params = new URLSearchParams([...media, ...locationParams]);
              if (typedName) params.set("name", typedName);
              // The server detects the kind of the files.
              navigate(`?${params}`);
            }}
          />
          <p className="text-xs text-muted text-phrase">{t("spaces:start.several")}</p>
          {uploading && <NameField fileName={uploading.name} typed={name} />}
          {isUploading && (
            <div className="flex flex-wrap items-center gap-3">
              <Button variant="primary" disabled aria-describedby="create-note">
                {t("spaces:createSubmit")}
              </Button>
              <span id="create-note" className="text-xs text-muted text-phrase">
                {t("spaces:start.nextNote")}
              </span>
            </div>
          )}
        </section>
        <section
          aria-labelledby="start-link"
          hidden={isUploading}
          className="grid min-w-0 content-start gap-3 [[hidden]]:hidden"
        >
          <h2 id="start-link" className="text-base font-semibold">
            {t("spaces:start.link")}
          </h2>
          <Form ref={linkForm} method="get" className="grid gap-3">
            {locationParams.map(([key, value]) => (
              <input key={key} type="hidden" name={key} value={value} />
            ))}
            <TextField
              name="link"
              label={t("spaces:showcase")}
              hint={t("spaces:showcaseHint")}
              defaultValue={invalidLink}
              error={linkProblem && t(linkProblem)}
              autoComplete="off"
              spellCheck={false}
              autoCapitalize="none"
              required
            />
            <div>
              <Button type="submit">{t("spaces:start.next")}</Button>
            </div>
          </Form>
        </section>
      </div>
      <section aria-labelledby="start-kinds" hidden={isUploading} className="grid gap-3 [[hidden]]:hidden">
        <h2 id="start-kinds" className="text-base font-semibold">
          {t("spaces:start.kinds")}
        </h2>
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
          <li>
            <Form method="post" className="h-full">
              <button
                type="submit"
                name="intent"
                value="sample"
                aria-disabled={busy || undefined}
                onClick={busy ? (event) => event.preventDefault() : undefined}
                className={cardClasses}
              >
                <SourceImage kind="sample" />
                <CardText title={t("spaces:start.sample")} text={t("spaces:start.sampleText")} />
              </button>
            </Form>
          </li>
          {CARDS.map((kind) => (
            <li key={kind}>
              <Anchor href={hrefOf({ kind })} className={cardClasses}>
                <SourceImage kind={kind} />
                <CardText title={t(`spaces:kind.${kind}`)} text={t(`spaces:sources.about.${kind}`)} />
              </Anchor>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Returns a ref for the form of a link. Text that is pasted outside a field or a dialog goes to its link field. */
function useLinkPaste() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const field = form.current?.elements.namedItem("link");
      const text = event.clipboardData?.getData("text/plain").trim();
      const isElsewhere =
        event.target instanceof Element && event.target.closest("input, textarea, [contenteditable], dialog");
      if (!(field instanceof HTMLInputElement) || !text || isElsewhere) return;
      event.preventDefault();
      field.value = text;
      field.focus();
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
  return form;
}

/** Name field that is shown while the files are being uploaded. It suggests the name of the first file, even if that file was removed. */
function NameField({
  fileName,
  typed,
}: {
  readonly fileName: string;
  readonly typed: MutableRefObject<string>;
}) {
  const { t } = useTranslation();
  const [suggested] = useState(fileName.replace(/\.[^.]*$/, ""));
  useEffect(() => {
    typed.current = "";
  }, [typed]);
  return (
    <TextField
      onInput={({ currentTarget }) => {
        typed.current = currentTarget.value;
      }}
      name="uploadName"
      label={t("spaces:name")}
      defaultValue={suggested}
      maxCharacters={SPACE_NAME_MAX}
      autoComplete="off"
    />
  );
}

const CardText = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <span className="block p-3">
    <span className="block font-semibold">{title}</span>
    <span className="mt-1 block text-xs text-muted text-phrase">{text}</span>
  </span>
);
