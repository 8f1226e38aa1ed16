import type { PreparationNote } from "~/domain/prepared";
import { formatBytes } from "~/i18n/format";
import type { Translate } from "~/i18n/i18n";
import type { ConversionRow } from "./model";

/** The ending of a file's name, which is how people call its type: "FBX". Empty where it has none. */
export const typeName = (fileName: string): string =>
  /\.([A-Za-z0-9]{1,8})$/.exec(fileName)?.[1]?.toUpperCase() ?? "";

/** "This is an FBX file. It is being converted…" */
export function beingConverted(fileName: string, t: Translate): string {
  const type = typeName(fileName);
  if (type === "") return t("conversion.being.plain");
  // English says "an" before letters whose names begin with a vowel.
  return t(/^[AEFHILMNORSX8]/.test(type) ? "conversion.being.an" : "conversion.being.a", { type });
}

/** How a conversion fares, in words. */
export function stateText({ state, step, share, code, name }: ConversionRow, t: Translate): string {
  const percent = Math.round(share * 100);
  if (state === "failed")
    return code === null ? t("conversion.lost") : t(`conversion.code.${code}`, { name });
  if (state === "converting") return t(`conversion.step.${step ?? "read"}`, { percent });
  return t(`conversion.state.${state}`, { percent });
}

const UNITS = ["mm", "cm", "m"] as const;

/** What the owner should know about the result of a conversion. */
export function noteText({ key, values }: PreparationNote, t: Translate): string {
  const [names, count, kept] = [String(values.names ?? ""), Number(values.count), Number(values.kept)];
  if (key === "missing_textures") {
    const more = count - names.split(", ").length;
    return more > 0
      ? t("conversion.note.missing_more", { names, more })
      : t("conversion.note.missing_textures", { names });
  }
  if (key === "points_thinned")
    return t("conversion.note.points_thinned", {
      kept: kept.toLocaleString(),
      count: count.toLocaleString(),
    });
  if (key === "moved_to_origin") return t("conversion.note.moved_to_origin");
  const unit = UNITS.find((one) => one === values.unit) ?? "m";
  return t("conversion.note.unit_guessed", { unit: t(`conversion.unit.${unit}`) });
}

/** Bytes, or nothing where they are not known. */
export const bytesText = (bytes: number | undefined): string =>
  bytes === undefined ? "–" : formatBytes(bytes);
