import { Form } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button, ButtonRow, DefaultSubmit, LinkButton } from "~/components/button";
import { TextField } from "~/components/fields/text-field";
import { SPACE_NAME_MAX } from "~/domain/shared/limits";
import type { SourceKind } from "~/domain/shared/model";
import { readSourceValues, type SourceErrors, type SourceValues } from "~/domain/spaces/space-source-form";
import { useTranslation } from "~/i18n/translation";
import type { ViewerSource } from "~/viewer/Viewer";
import { Nodes } from "../panoramas/nodes";
import { isSaving, withPanorama } from "../panoramas/panorama-help";
import { useFisheyes } from "../panoramas/use-fisheyes";
import { ChosenSourceFile } from "./choice";
import { DisplayFields } from "./display-fields";
import { FormProblems } from "./form-problems";
import { SourcePreview } from "./preview";
import type { SourceFile, SourceFiles } from "./read.server";
import { keepCountedSource, TriangleCountNotice } from "./source-fault-notice";
import { useSourceField } from "./use-source-field";
import { useStart } from "./use-start";

export interface SourceFormProps {
  readonly kind: SourceKind;
  readonly values: SourceValues;
  readonly errors: SourceErrors;
  readonly files: SourceFiles;
  /** Images that can be added to a panorama space. */
  readonly images: readonly SourceFile[];
  /** HDR panoramas for the light of a new model space; null on other pages. */
  readonly lights?: readonly SourceFile[] | null;
  /** Whether the space is new. The form then has a field for its name, and shows its thumbnail. */
  readonly isNew: boolean;
  /** Owner of the library that receives thumbnails and panoramas made in the form; null for the user's own library. */
  readonly ownerId: string | null;
  readonly submit: string;
  readonly cancelHref: string;
  /** URL of the page that chooses another file. */
  readonly fileHref: string;
}

/** Form of a space's source: its file or panoramas, its start (the view in which a visit begins), and a 3D preview. */
export function SourceForm(props: SourceFormProps) {
  const { kind, errors, isNew, ownerId, lights = null } = props;
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [formValues, setFormValues] = useState(props.values);
  const startState = useStart(formValues);
  const values = { ...formValues, start: startState.start };
  // The model whose triangles are counted; null until its preview has loaded, or has rejected it as too large.
  const [countedSource, setCountedSource] = useState<ViewerSource | null>(null);
  const [capturedImageUrl, setCapturedImageUrl] = useState<string | null>(null);
  const [createdFiles, setCreatedFiles] = useState<SourceFiles>({});
  const files = useMemo(() => ({ ...props.files, ...createdFiles }), [props.files, createdFiles]);
  const fisheyes = useFisheyes(values.nodes, files);
  // Applies text that was typed before hydration.
  useEffect(() => {
    if (form.current) setFormValues(readSourceValues(new FormData(form.current)));
  }, []);
  const updateValues = (changes: Partial<SourceValues>) =>
    setFormValues((previous) => ({ ...previous, ...changes }));
  const field = useSourceField({ values, errors, onChange: updateValues });
  const changeUpAxis = (up: string) => {
    updateValues({ up });
    // A start that was captured with another up axis is invalid.
    startState.setStart("");
  };
  const file = files[values.mediaId];
  const poster = capturedImageUrl ?? files[values.posterMediaId]?.thumbnail ?? null;
  return (
    <Form
      ref={form}
      id="space-source"
      method="post"
      onSubmit={(event) => {
        // Visitors could not recognise anything on an unstitched image.
        if (isSaving(event) && values.nodes.some(({ nodeMedia }) => fisheyes.has(nodeMedia)))
          event.preventDefault();
      }}
      // A sticky child of a grid would stay in its row.
      className="flex flex-col gap-8"
    >
      <DefaultSubmit name="intent" value="save" />
      <FormProblems errors={errors} />
      {(["mediaId", "start", "posterMediaId", "version"] as const).map((name) => (
        <input key={name} type="hidden" name={name} value={values[name]} />
      ))}
      {isNew ? (
        <TextField
          {...field("name")}
          label={t("spaces:name")}
          maxCharacters={SPACE_NAME_MAX}
          autoComplete="off"
          required
          className="max-w-xl"
        />
      ) : (
        <input type="hidden" name="name" value={values.name} />
      )}
      {kind === "showcase" && (
        <TextField
          {...field("showcase")}
          label={t("spaces:showcase")}
          hint={t("spaces:showcaseHint")}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          required
          className="max-w-xl"
        />
      )}
      {(kind === "model" || kind === "splat") && (
        <div className="grid max-w-xl gap-6">
          <ChosenSourceFile file={file} kind={kind} fileHref={props.fileHref} />
          {countedSource && <TriangleCountNotice source={countedSource} spaceId={null} />}
        </div>
      )}
      {kind === "panorama" && (
        <Nodes
          nodes={values.nodes}
          errors={errors}
          files={files}
          images={props.images}
          ownerId={ownerId}
          fisheyes={fisheyes}
          onChange={(nodes) => updateValues({ nodes })}
          onPanorama={(replacedNodes, file) => {
            setCreatedFiles((previous) => ({ ...previous, [file.id]: file }));
            updateValues({ nodes: withPanorama(values.nodes, replacedNodes, file.id) });
          }}
        />
      )}
      {kind !== "showcase" && (
        <SourcePreview
          kind={kind}
          values={values}
          files={files}
          ownerId={ownerId}
          startChange={startState.change}
          onStart={startState.setStart}
          onUp={kind === "splat" ? changeUpAxis : undefined}
          onCountable={
            kind === "model"
              ? (source) => setCountedSource((previous) => keepCountedSource(previous, source))
              : undefined
          }
          onImage={(posterMediaId, url) => {
            updateValues({ posterMediaId });
            setCapturedImageUrl(url);
          }}
        />
      )}
      {(kind === "model" || kind === "splat") && (
        <DisplayFields
          kind={kind}
          values={values}
          errors={errors}
          files={files}
          lights={lights}
          isNew={isNew}
          url={file?.url ?? undefined}
          onChange={updateValues}
        />
      )}
      {isNew && poster && <SpaceThumbnail src={poster} />}
      <ButtonRow isActionBar className="sticky bottom-0 z-10 border-t border-line bg-paper py-3">
        <Button type="submit" variant="primary" name="intent" value="save">
          {props.submit}
        </Button>
        <LinkButton href={props.cancelHref} variant="quiet">
          {t("spaces:cancel")}
        </LinkButton>
      </ButtonRow>
    </Form>
  );
}

/** Thumbnail of a new space. */
function SpaceThumbnail({ src }: { readonly src: string }) {
  const { t } = useTranslation();
  return (
    <figure className="flex items-center gap-3 text-sm">
      <img src={src} alt="" width={160} height={90} className="aspect-picture w-40 rounded object-cover" />
      <figcaption>{t("spaces:sources.imageOfSpace")}</figcaption>
    </figure>
  );
}
