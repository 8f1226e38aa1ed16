import { Form, useNavigate, useSearchParams } from "@remix-run/react";
import { Button, LinkButton } from "~/components/button";
import { CursorPager } from "~/components/cursor-pager";
import { Icon } from "~/components/icon";
import { EmptyState } from "~/components/status/states";
import type { MediaKind } from "~/domain/shared/model";
import { panoramaPart } from "~/domain/spaces/panorama-shape";
import { BatchUploader } from "~/features/library/uploads/batch-uploader";
import { DrawThumbnails } from "~/features/library/uploads/thumbnails/draw-thumbnails";
import { useTranslation } from "~/i18n/translation";
import { HiddenMark } from "../../library/list/hidden-notice";
import { cursorPagerProps } from "../../shared/cursor-pager-props";
import { SearchForm } from "../../shared/search-form";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";
import type { FileChoiceData, SourceFile } from "./read.server";

export interface FileChoiceProps {
  readonly choice: FileChoiceData;
  /** Kind of the files; `light`: HDR panoramas that light a model. */
  readonly kind: Extract<MediaKind, "image" | "model" | "splat"> | "light";
  /** Whether several files can be chosen: the images of a panorama space. */
  readonly multiple?: boolean;
  readonly submit: string;
  /** Chosen files. */
  readonly chosenIds?: readonly string[];
}

/** Parameters of the page without those of the search, of the position in the list and of the toast, and without those in `excluded`. */
function choiceParams(searchParams: URLSearchParams, ...excluded: string[]): URLSearchParams {
  const params = new URLSearchParams(searchParams);
  for (const name of ["q", "cursor", "toast", ...excluded]) params.delete(name);
  return params;
}

/** Files of the library to choose from, as a plain GET form, so that each choice has a URL. */
export function FileChoice({ choice, kind, multiple = false, submit, chosenIds = [] }: FileChoiceProps) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const { files } = choice;
  const mediaKind = kind === "light" ? "image" : kind;
  const keptParams = choiceParams(searchParams, "media");
  // Files that were chosen on another page of the list stay chosen.
  const chosenOnOtherPages = multiple ? chosenIds.filter((id) => !files.some((file) => file.id === id)) : [];
  const navigate = useNavigate();
  // Uploaded files are chosen automatically.
  const onReady = (items: readonly { readonly uuid: string }[]) => {
    const params = new URLSearchParams(keptParams);
    for (const id of multiple ? searchParams.getAll("media") : []) params.append("media", id);
    for (const { uuid } of items) params.append("media", uuid);
    navigate(`?${params}`);
  };
  return (
    <div className="grid gap-4">
      <BatchUploader
        {...choice.upload}
        kinds={[mediaKind]}
        multiple={multiple}
        group="source"
        onReady={onReady}
      />
      <SearchForm
        label={t("spaces:sources.search")}
        submit={t("spaces:sources.searchSubmit")}
        clear={t("spaces:sources.clearSearch")}
        {...choice.search}
        otherParams={choiceParams(searchParams)}
        clearHref={`?${choiceParams(searchParams)}`}
      />
      {files.length === 0 ? (
        <EmptyState title={t(`spaces:sources.none.${kind}`)}>{t("spaces:sources.noneText")}</EmptyState>
      ) : (
        <Form method="get" className="grid gap-4">
          <DrawThumbnails items={files.flatMap(({ thumbnailRequest }) => thumbnailRequest ?? [])} />
          {[...keptParams].map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          {chosenOnOtherPages.map((id) => (
            <input key={id} type="hidden" name="media" value={id} />
          ))}
          <fieldset>
            <legend className="sr-only">{t("spaces:sources.files")}</legend>
            {multiple && files.some(({ invalidPanoramaSize }) => invalidPanoramaSize !== null) && (
              <p className="mb-3 max-w-prose text-sm text-muted text-phrase">{t("spaces:sources.odd")}</p>
            )}
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-3">
              {files.map((file) => (
                <li key={file.id}>
                  <label className="flex h-full cursor-pointer gap-3 rounded border border-line p-2 text-sm hover:border-edge has-disabled:cursor-default has-disabled:bg-surface has-checked:border-accent has-checked:bg-accent/6">
                    <input
                      type={multiple ? "checkbox" : "radio"}
                      name="media"
                      value={file.id}
                      disabled={file.hidden !== null}
                      required={!multiple}
                      defaultChecked={chosenIds.includes(file.id)}
                      className={`tick mt-1 shrink-0 ${multiple ? "rounded-sm" : "rounded-full"}`}
                    />
                    <FileThumbnail image={file.thumbnail} kind={mediaKind} />
                    <span className="min-w-0 wrap-anywhere">
                      <span className="block font-semibold">{file.title}</span>
                      <span className="block text-xs text-muted tabular-nums">
                        {[file.size, file.pixels].filter(Boolean).join(" · ")}
                      </span>
                      {file.hidden && (
                        <span className="block text-xs text-phrase">
                          <HiddenMark reason={file.hidden} name={file.fileName} />
                        </span>
                      )}
                      {multiple && file.invalidPanoramaSize && (
                        <span className="block text-xs text-muted text-phrase">
                          {t(
                            `spaces:sources.oddShape.${panoramaPart(file.invalidPanoramaSize.width, file.invalidPanoramaSize.height)}`,
                          )}
                        </span>
                      )}
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
          <div>
            <Button type="submit" variant="primary">
              {submit}
            </Button>
          </div>
        </Form>
      )}
      <CursorPager {...cursorPagerProps(choice.page, searchParams)} />
    </div>
  );
}

/**
 * Model or splat file of a space: its thumbnail, title and size, the reason why visitors do not see it, and a link to the page that chooses another
 * file.
 */
export function ChosenSourceFile({
  file,
  kind,
  fileHref,
}: {
  readonly file: SourceFile | undefined;
  readonly kind: MediaKind;
  readonly fileHref: string;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm" id="mediaId" tabIndex={-1}>
      <FileThumbnail image={file?.thumbnail ?? null} kind={kind} />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="block font-semibold">{file?.title ?? t("spaces:sources.missingFile")}</span>
        <span className="block text-xs text-muted">{file?.size}</span>
        {file?.hidden && (
          <span className="block text-xs text-phrase">
            <HiddenMark reason={file.hidden} name={file.fileName} />
          </span>
        )}
      </span>
      <LinkButton href={fileHref}>{t("spaces:sources.otherFile")}</LinkButton>
    </div>
  );
}

/** Thumbnail of a file, or the icon of its kind. */
export function FileThumbnail({ image, kind }: { readonly image: string | null; readonly kind: MediaKind }) {
  return (
    <span className="grid h-12 w-20 shrink-0 place-items-center overflow-hidden rounded bg-surface text-faint">
      {image ? (
        <img src={image} alt="" width={80} height={48} loading="lazy" className="size-full object-cover" />
      ) : (
        <Icon name={MEDIA_ICONS[kind]} />
      )}
    </span>
  );
}
