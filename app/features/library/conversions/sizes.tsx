import type { PreparationLoss, PreparationNote, PreparedFacts } from "~/domain/prepared";
import { useTranslation } from "~/i18n/use-translation";
import { bytesText, noteText } from "./texts";

/** Props of the figures of a conversion. */
export interface ConversionSizesProps {
  readonly before: PreparedFacts;
  readonly after: PreparedFacts;
  /** What the conversion left out. */
  readonly losses: readonly PreparationLoss[];
  readonly notes: readonly PreparationNote[];
}

/** Numbers before and after, as far as there are any, and what the owner should know about the result. */
export function ConversionSizes({ before, after, losses, notes }: ConversionSizesProps) {
  const { t } = useTranslation();
  const counted = ["triangles", "points", "splats"] as const;
  const rows: readonly (readonly [string, string, string])[] = [
    [t("conversion.fact.bytes"), bytesText(before.bytes), bytesText(after.bytes)],
    ...counted.flatMap((name) =>
      before[name] === undefined && after[name] === undefined
        ? []
        : [
            [
              t(`conversion.fact.${name}`),
              before[name]?.toLocaleString() ?? "–",
              after[name]?.toLocaleString() ?? "–",
            ] as const,
          ],
    ),
    ...(before.graphicsBytes === undefined && after.graphicsBytes === undefined
      ? []
      : [
          [
            t("conversion.fact.graphics"),
            bytesText(before.graphicsBytes),
            bytesText(after.graphicsBytes),
          ] as const,
        ]),
    ...(after.width && after.height
      ? [
          [
            t("conversion.fact.pixels"),
            before.width && before.height ? `${before.width} × ${before.height}` : "–",
            `${after.width} × ${after.height}`,
          ] as const,
        ]
      : []),
  ];
  return (
    <div className="grid gap-2">
      <table className="w-full max-w-xl text-sm tabular-nums">
        <caption className="sr-only">{t("conversion.sizes")}</caption>
        <thead>
          <tr className="border-b border-line text-left text-muted">
            <th scope="col" className="py-2 font-normal">
              <span className="sr-only">{t("conversion.fact.what")}</span>
            </th>
            <th scope="col" className="py-2 text-right font-normal whitespace-nowrap">
              {t("conversion.original")}
            </th>
            <th scope="col" className="py-2 pl-4 text-right font-normal whitespace-nowrap">
              {t("conversion.converted")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, one, other]) => (
            <tr key={label} className="border-b border-line">
              <th scope="row" className="py-2 text-left font-normal text-muted">
                {label}
              </th>
              <td className="py-2 text-right">{one}</td>
              <td className="py-2 pl-4 text-right font-semibold">{other}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {losses.length > 0 && (
        <p className="text-sm text-phrase">
          {t("conversion.losses", {
            losses: losses.map((loss) => t(`conversion.loss.${loss}`)).join(t("kit.listSeparator")),
          })}
        </p>
      )}
      {notes.map((note) => (
        <p key={note.key} className="text-sm text-phrase [overflow-wrap:anywhere]">
          {noteText(note, t)}
        </p>
      ))}
    </div>
  );
}
