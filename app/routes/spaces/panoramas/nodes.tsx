import { Button } from "~/components/button";
import { FieldErrorList } from "~/components/fields/field";
import { NumberField } from "~/components/fields/number-field";
import { TextField } from "~/components/fields/text-field";
import { useHydrated } from "~/components/use-hydrated";
import { invalidPanoramaError } from "~/domain/spaces/panorama-shape";
import {
  linkedNodeIds,
  type NodeValues,
  nodeFieldId,
  type SourceErrors,
} from "~/domain/spaces/space-source-form";
import { packMessage, useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import { hiddenMark } from "../../library/list/hidden-notice";
import { FileThumbnail } from "../source/choice";
import type { SourceFile, SourceFiles } from "../source/read.server";
import { type OnPanorama, PanoramaHelp } from "./panorama-help";
import { PanoramaPlan } from "./plan";

export interface NodesProps {
  readonly nodes: readonly NodeValues[];
  readonly errors: SourceErrors;
  readonly files: SourceFiles;
  /** Newest images of the library. */
  readonly images: readonly SourceFile[];
  readonly onChange: (nodes: readonly NodeValues[]) => void;
  /** Owner of the library that receives a panorama made in this form; null for the user's own library. */
  readonly ownerId: string | null;
  readonly onPanorama: OnPanorama;
  /** Ids of images that are unstitched dual-fisheye images. */
  readonly fisheyes: ReadonlySet<string>;
}

/** The nodes with a link between two of them added or removed in both directions. */
export function withLink(nodes: readonly NodeValues[], a: string, b: string, isLinked: boolean) {
  return nodes.map((node) => {
    const linkedId = node.nodeId === a ? b : node.nodeId === b ? a : null;
    if (linkedId === null) return node;
    const links = linkedNodeIds(node).filter((link) => link !== linkedId);
    return { ...node, nodeLinks: [...links, ...(isLinked ? [linkedId] : [])].join(" ") };
  });
}

/** Panoramas (nodes) of a space: a plan on which they are placed, and the fields of each. */
export function Nodes({ nodes, errors, files, images, onChange, ...props }: NodesProps) {
  const { t } = useTranslation();
  const message = useMessage();
  const hydrated = useHydrated();
  const titleOf = (node: NodeValues) => node.nodeJa || node.nodeEn || node.nodeId;
  const listShapeErrors = ({ nodeMedia }: NodeValues) => {
    const file = files[nodeMedia];
    return file?.invalidPanoramaSize
      ? [packMessage(invalidPanoramaError(file.title, file.invalidPanoramaSize))]
      : [];
  };
  const updateNode = (row: number, values: Partial<NodeValues>) =>
    onChange(nodes.map((node, index) => (index === row ? { ...node, ...values } : node)));
  const field = (name: keyof NodeValues, row: number) => ({
    name,
    id: nodeFieldId(name, row),
    value: nodes[row]?.[name] ?? "",
    error: errors[nodeFieldId(name, row)]?.map(message),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      updateNode(row, { [name]: event.currentTarget.value }),
  });
  const isLinked = (a: NodeValues, b: NodeValues) =>
    linkedNodeIds(a).includes(b.nodeId) || linkedNodeIds(b).includes(a.nodeId);
  return (
    <section aria-labelledby="nodes-title" className="grid grid-cols-1 gap-4">
      <div>
        <h2 id="nodes-title" className="text-base font-semibold">
          {t("spaces:sources.panoramas")}
        </h2>
        <p className="max-w-prose text-sm text-muted text-phrase">{t("spaces:sources.panoramasLead")}</p>
      </div>
      <div id="nodes" tabIndex={-1}>
        <FieldErrorList error={errors.nodes?.map(message)} />
      </div>
      {hydrated && <PanoramaHelp nodes={nodes} files={files} {...props} />}
      {hydrated && nodes.length > 0 && <PanoramaPlan nodes={nodes} titleOf={titleOf} onMove={updateNode} />}
      <ol className="grid gap-4">
        {nodes.map((node, row) => (
          <li key={node.nodeId}>
            <fieldset className="@container grid min-w-0 gap-4 rounded border border-line p-4">
              <legend className="sr-only">
                {t("spaces:sources.node", { number: row + 1, title: titleOf(node) })}
              </legend>
              <div className="flex flex-wrap items-center gap-3">
                <FileThumbnail image={files[node.nodeMedia]?.thumbnail ?? null} kind="image" />
                <span className="min-w-0 flex-1 text-sm wrap-anywhere">
                  <span className="block font-semibold">
                    {files[node.nodeMedia]?.title ?? t("spaces:sources.missingFile")}
                  </span>
                  <span className="block text-xs text-muted">
                    {t("spaces:sources.nodeId", { id: node.nodeId })}
                  </span>
                </span>
                <Button
                  type="submit"
                  name="intent"
                  value={`remove-${node.nodeId}`}
                  formNoValidate
                  variant="quiet"
                  icon="trash"
                >
                  {t("spaces:sources.removeNode")}
                </Button>
              </div>
              <FieldErrorList
                error={[
                  ...(errors[nodeFieldId("nodeMedia", row)] ?? listShapeErrors(node)),
                  ...(errors[nodeFieldId("nodeId", row)] ?? []),
                  ...(props.fisheyes.has(node.nodeMedia) ? ["spaces:sources.errors.fisheye"] : []),
                ].map(message)}
              />
              <input type="hidden" name="nodeId" value={node.nodeId} />
              <input type="hidden" name="nodeMedia" value={node.nodeMedia} />
              <div className="grid gap-4 @md:grid-cols-2 @3xl:grid-cols-4">
                <NumberField {...field("nodeX", row)} label={t("spaces:sources.x")} unit="m" step="any" />
                <NumberField {...field("nodeZ", row)} label={t("spaces:sources.z")} unit="m" step="any" />
                <NumberField {...field("nodeY", row)} label={t("spaces:sources.y")} unit="m" step="any" />
                <NumberField
                  {...field("nodeHeading", row)}
                  label={t("spaces:sources.heading")}
                  unit="°"
                  step="any"
                />
              </div>
              <div className="grid gap-4 @md:grid-cols-2">
                <TextField {...field("nodeJa", row)} label={t("spaces:sources.titleJa")} autoComplete="off" />
                <TextField {...field("nodeEn", row)} label={t("spaces:sources.titleEn")} autoComplete="off" />
              </div>
              {hydrated ? (
                <fieldset className="grid gap-1">
                  <legend className="text-sm font-semibold">{t("spaces:sources.links")}</legend>
                  <input type="hidden" name="nodeLinks" value={node.nodeLinks} />
                  <div className="flex flex-wrap gap-x-4">
                    {nodes.map(
                      (otherNode) =>
                        otherNode !== node && (
                          <label key={otherNode.nodeId} className="flex min-h-10 items-center gap-2 text-sm">
                            <input
                              type="checkbox"
                              checked={isLinked(node, otherNode)}
                              onChange={(event) =>
                                onChange(
                                  withLink(nodes, node.nodeId, otherNode.nodeId, event.currentTarget.checked),
                                )
                              }
                              className="tick rounded-sm"
                            />
                            {titleOf(otherNode)}
                          </label>
                        ),
                    )}
                  </div>
                  <FieldErrorList error={errors[nodeFieldId("nodeLinks", row)]?.map(message)} />
                </fieldset>
              ) : (
                <TextField
                  {...field("nodeLinks", row)}
                  label={t("spaces:sources.links")}
                  hint={t("spaces:sources.linksHint")}
                  autoComplete="off"
                />
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      {images.length > 0 && (
        <div className="flex flex-wrap items-end gap-2">
          <label className="grid min-w-0 flex-1 gap-1.5 text-sm font-semibold sm:max-w-80">
            {t("spaces:sources.addImage")}
            <span className="select font-normal">
              <select
                name="addMedia"
                className="control"
                defaultValue={images.find(({ hidden }) => !hidden)?.id}
              >
                {images.map(({ id, title, hidden, fileName }) => (
                  <option key={id} value={id} disabled={hidden !== null}>
                    {title}
                    {hidden && t("shared-owners:inBrackets", { text: hiddenMark(hidden, fileName, t) })}
                  </option>
                ))}
              </select>
            </span>
          </label>
          <Button type="submit" name="intent" value="add" formNoValidate icon="plus">
            {t("spaces:sources.add")}
          </Button>
        </div>
      )}
    </section>
  );
}
